namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

internal sealed class StreamClient : StreamConnection, IPolledClient
{
    private readonly ClientSetup _setup;
    private readonly SocketError _beginError;
    private bool _hasReached;

    private StreamClient(ClientSetup setup, IConnectObserver observer, StreamThread thread, int descriptor, SocketError beginError)
        : base(thread, thread.CreateTransport(descriptor), observer)
    {
        (_setup, _beginError) = (setup, beginError);

        // The creator adds the client to the loop first.
        thread.Loop.Post(() => Watch(Interest.Write));
    }

    // The caller adds it to the loop at once.
    public static StreamClient Connect(ClientSetup setup, IConnectObserver observer, StreamThread thread)
    {
        int descriptor = StreamSocket.Connect(setup.EndPoint, out SocketError error);
        return new StreamClient(setup, observer, thread, descriptor, error);
    }

    public void Start()
    {
        if (IsOpen)
        {
            _setup.Handler.OnStart(this, Worker);
            Flush();
        }
    }

    public void Due(long due)
    {
        if (IsOpen)
        {
            _setup.Handler.OnDue(this, due, Worker);
            Flush();
        }
    }

    public override void OnTick()
    {
        if (IsOpen)
        {
            _setup.Handler.OnTick(this, Worker);
            Flush();
        }

        base.OnTick();
    }

    public override void Proceed()
    {
        if (!_hasReached)
        {
            SocketError error = _beginError == SocketError.Success ? StreamSocket.ErrorOf((int)SocketHandle, _setup.EndPoint) : _beginError;
            if (error != SocketError.Success)
            {
                Abort();
                Observer!.Refused(StreamSocket.Explain(_setup.EndPoint, error));
                return;
            }

            _hasReached = true;
        }

        base.Proceed();
    }
}
