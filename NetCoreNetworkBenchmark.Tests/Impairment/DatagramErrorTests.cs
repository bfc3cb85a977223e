namespace NetCoreNetworkBenchmark.Tests.Impairment;

public sealed class DatagramErrorTests
{
    [Theory]
    [InlineData(SocketError.HostUnreachable), InlineData(SocketError.NetworkUnreachable), InlineData(SocketError.NetworkDown), InlineData(SocketError.HostDown)]
    [InlineData(SocketError.AccessDenied), InlineData(SocketError.MessageSize), InlineData(SocketError.ProtocolOption)]
    [InlineData(SocketError.OperationNotSupported)]
    public void IsHarmless_is_true_for_an_error_of_the_network(SocketError error) => Assert.True(DatagramSocket.IsHarmless(error));

    [Theory, InlineData(SocketError.NotSocket), InlineData(SocketError.Fault), InlineData(SocketError.InvalidArgument)]
    public void IsHarmless_is_false_for_a_fault_of_the_relay(SocketError error) => Assert.False(DatagramSocket.IsHarmless(error));

    // A socket without SO_BROADCAST may not connect to it (EACCES), or there is no route to it (ENETUNREACH).
    [Fact]
    public async Task A_relay_continues_without_a_way_to_the_server()
    {
        using var recorder = new RunRecorder();
        await using Relay relay = Relay.Start(RelayedTraffic.SetupOf(new IPEndPoint(IPAddress.Broadcast, 9), recorder));
        using Socket client = RelayedTraffic.Bind();
        using Socket other = RelayedTraffic.Bind();
        foreach (Socket socket in (Socket[])[client, other, client])
        {
            await socket.SendToAsync(new byte[8], SocketFlags.None, relay.EndPoint, TestContext.Current.CancellationToken);
        }

        await relay.DisposeAsync();
        Assert.False(recorder.Fault.IsCompleted);
    }
}
