using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The times at which a relay cuts its connections, as a client sees them. A busy machine can only add time.</summary>
public sealed class StreamCutTimeTests
{
    [Fact]
    public async Task Cuts_are_not_shorter_than_requested_and_not_before_the_end_of_their_period()
    {
        const int Cuts = 10;
        var cut = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(60));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        using var recorder = new RunRecorder();
        using Socket server = RelayedStreams.Open();
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        server.Listen();
        Task echoing = EchoAsync(server, end.Token);
        await using Relay relay = Relay.Start(RelayedStreams.SetupOf(new ImpairmentPlan { Cut = cut }, (IPEndPoint)server.LocalEndPoint!, recorder));
        long begin = Stopwatch.GetTimestamp();
        await relay.BeginAsync();
        (int seen, bool isCut, long lastEcho) = (0, false, begin);
        while (seen < Cuts)
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < RelayedStreams.Deadline, $"Only {seen} cuts came.");
            using Socket client = RelayedStreams.Open();
            try
            {
                client.Connect(relay.EndPoint);
                while (true)
                {
                    long sent = Stopwatch.GetTimestamp();
                    client.Send([1]);
                    Assert.Single(RelayedStreams.Receive(client, 1));
                    Assert.True(!isCut || Stopwatch.GetElapsedTime(lastEcho) >= cut.Length, $"Cut {seen} took only {Stopwatch.GetElapsedTime(lastEcho)}.");
                    (isCut, lastEcho) = (false, sent);
                }
            }
            catch (SocketException)
            {
                // Each echo between two errors is outside of a cut, so the second one is of another cut.
                seen += isCut ? 0 : 1;
                isCut = true;
                Assert.InRange(Stopwatch.GetElapsedTime(begin), cut.Period * seen, TimeSpan.MaxValue);
            }
        }

        RelayCounts counts = await relay.CountAsync();
        Assert.InRange(counts.Cuts, Cuts, long.MaxValue);
        Assert.InRange(counts.ResetConnections, 1, counts.Clients);
        Assert.False(recorder.Fault.IsCompleted);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => echoing);
    }

    [Fact]
    public async Task Nothing_is_cut_before_Begin_and_after_End()
    {
        var cut = new Interruption(TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(10));
        await using var streams = new RelayedStreams(new ImpairmentPlan { Cut = cut });
        using StreamPair before = streams.Connect();
        await CarryAsync(before);
        Assert.Equal((0, 0), await CutsAsync());
        await streams.Relay.BeginAsync();
        await Wait.UntilAsync(async () => (await streams.Relay.CountAsync()).Cuts >= 3, "three cuts came");
        Assert.Throws<SocketException>(() => RelayedStreams.Receive(before.Client, 1));
        await streams.Relay.EndAsync();
        (long cuts, long reset) = await CutsAsync();
        Assert.Equal(1, reset);
        using StreamPair after = streams.Connect();
        await CarryAsync(after);
        Assert.Equal((cuts, 1), await CutsAsync());
        await streams.Relay.DisposeAsync();
        Assert.Equal((cuts, 1), await CutsAsync());

        async Task<(long Cuts, long Reset)> CutsAsync() => await streams.Relay.CountAsync() is var counts ? (counts.Cuts, counts.ResetConnections) : default;

        async Task CarryAsync(StreamPair pair)
        {
            for (int period = 0; period < 5; period++)
            {
                await Task.Delay(cut.Period, TestContext.Current.CancellationToken);
                pair.Client.Send([1]);
                Assert.Single(RelayedStreams.Receive(pair.Server, 1));
            }
        }
    }

    // Connections come one after the other. Each ends by a cut.
    private static async Task EchoAsync(Socket listener, CancellationToken end)
    {
        byte[] bytes = new byte[1];
        while (true)
        {
            using Socket connection = await listener.AcceptAsync(end);
            try
            {
                while (await connection.ReceiveAsync(bytes, end) > 0)
                {
                    await connection.SendAsync(bytes, end);
                }
            }
            catch (SocketException)
            {
                continue;
            }
        }
    }
}
