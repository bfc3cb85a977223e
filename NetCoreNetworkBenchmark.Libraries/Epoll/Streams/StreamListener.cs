namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

internal sealed class StreamListener : IPolledServerSocket
{
    // Clients are accepted in portions, so that connected clients are served while thousands connect.
    private const int MaxPerTurn = 64;

    private readonly PollLoop _loop;
    private readonly StreamSide _side;
    private readonly ConnectionLimit _limit;
    private readonly Action<int> _accepted;
    private readonly Socket _socket;
    private bool _isPaused;

    public StreamListener(ServerSetup setup, PollLoop loop, ConnectionLimit limit, Action<int> accepted)
    {
        (_loop, _side, _limit, _accepted) = (loop, StreamSide.For(setup), limit, accepted);
        _socket = ServerSocket.Listen(setup);
        _socket.Blocking = false;
        EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
    }

    public static StreamListener Serving(ServerSetup setup, PollLoop loop, ConnectionLimit limit, Func<int, StreamTransport> createTransport)
    {
        var thread = new StreamThread(loop, StreamSide.For(setup), createTransport);
        return new StreamListener(setup, loop, limit, descriptor => thread.Serve(descriptor, limit));
    }

    public IPEndPoint EndPoint { get; }

    public nint SocketHandle => _socket.Handle;

    public void OnReadable()
    {
        _loop.Worker.ReadClock();
        int accepted = 0;
        while (accepted < MaxPerTurn && Accept())
        {
            accepted++;
        }
    }

    public void OnTick()
    {
        if (_isPaused)
        {
            _isPaused = false;
            _loop.Watch(this, Interest.Read);
        }
    }

    public void Dispose() => _socket.Dispose();

    private bool Accept()
    {
        int descriptor = StreamSocket.Accept((int)SocketHandle, out SocketError error);
        if (descriptor >= 0)
        {
            PassOn(descriptor);
            return true;
        }

        if (error is SocketError.WouldBlock)
        {
            return false;
        }

        if (error is not (SocketError.Interrupted or SocketError.ConnectionAborted))
        {
            // For example, no descriptors are left: the client waits in the queue, and is reported again and again.
            _side.CountError($"{error}");
            _isPaused = true;
            _loop.Watch(this, Interest.None);
        }

        return !_isPaused;
    }

    private void PassOn(int descriptor)
    {
        if (_limit.TryEnter())
        {
            _accepted(descriptor);
        }
        else
        {
            _ = SysEpoll.close(descriptor);
        }
    }
}
