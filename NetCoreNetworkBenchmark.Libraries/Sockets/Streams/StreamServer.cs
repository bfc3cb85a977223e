namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

internal sealed class StreamServer : IBenchmarkServer
{
    // If no descriptors are left, an accept fails at once, again and again.
    private static readonly TimeSpan s_delayAfterError = TimeSpan.FromMilliseconds(50);

    private readonly StreamSide _side;
    private readonly DotNetTls? _tls;
    private readonly Socket _listener;
    private readonly ReadingConnections _connections;

    public StreamServer(ServerSetup setup)
    {
        _side = StreamSide.For(setup);
        _tls = setup.Plan.Protocol == Protocol.Ssl ? DotNetTls.For(setup) : null;
        CongestionControl.Require(setup.Plan);

        // Accepted sockets inherit it (tcp_ca_openreq_child of the kernel).
        _listener = ServerSocket.Listen(setup).SetUp(listener => CongestionControl.Set(listener, setup.Plan));
        EndPoint = (IPEndPoint)_listener.LocalEndPoint!;
        _connections = new ReadingConnections(setup, _side, AcceptAsync, OnFailureAsync);
    }

    public IPEndPoint EndPoint { get; }

    public ValueTask DisposeAsync() => new(_connections.StopAsync(CloseListener));

    private ValueTask CloseListener()
    {
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<ReadingPeer> AcceptAsync() => new SocketsServerPeer(_side, _tls, new Transport(await _listener.AcceptAsync().ConfigureAwait(false)));

    private Task OnFailureAsync(Exception exception)
    {
        _side.CountError(StreamFailure.NameOf(exception));
        return Task.Delay(s_delayAfterError);
    }
}
