namespace NetCoreNetworkBenchmark.Impairment;

// A cut breaks all connections and refuses new ones until its end.
internal sealed class StreamListener : IRelayListener
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly Traffic _traffic;

    // Bound, but never listening: it keeps the port while no socket listens. Null without cuts, and where the system does not permit a second socket.
    private readonly Socket? _keeper;

    private readonly HashSet<StreamEnd> _open = [];
    private Acceptor _acceptor;
    private bool _isCut;

    public StreamListener(RelaySetup setup, PollLoop loop, Traffic traffic)
    {
        (_setup, _loop, _traffic) = (setup, loop, traffic);

        // With SO_REUSEADDR, which .NET sets, Linux binds a port several times as long as no other socket listens on it (socket(7)).
        _keeper = setup.Impairment.Cut is not null && OperatingSystem.IsLinux() ? Open(setup.EndPoint, listens: false) : null;
        try
        {
            Socket socket = Open((IPEndPoint?)_keeper?.LocalEndPoint ?? setup.EndPoint, listens: true);
            EndPoint = (IPEndPoint)socket.LocalEndPoint!;
            _acceptor = new Acceptor(loop, socket, Accept, Remark);
        }
        catch
        {
            _keeper?.Dispose();
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }
    public int Clients { get; private set; }

    public void Begin() => _loop.Add(_acceptor);

    // The system refuses new connections at once. Where the port cannot be kept without a listening socket, they are accepted and reset.
    public int StartCut()
    {
        // Before the resets, so that a client that comes back at once is refused.
        _isCut = true;
        if (_keeper is not null)
        {
            _loop.Remove(_acceptor);
            _acceptor.Dispose();
        }

        int reset = 0;
        foreach (StreamEnd end in _open.ToArray())
        {
            reset += end.TryBreak() ? 1 : 0;
        }

        return reset;
    }

    public void EndCut()
    {
        _isCut = false;
        if (_keeper is not null)
        {
            _acceptor = new Acceptor(_loop, Open(EndPoint, listens: true), Accept, Remark);
            Begin();
        }
    }

    public void Dispose()
    {
        _acceptor.Dispose();
        _keeper?.Dispose();
    }

    private static Socket Open(IPEndPoint endPoint, bool listens) => new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp).SetUp(socket =>
    {
        socket.Blocking = false;
        socket.Bind(endPoint);
        if (listens)
        {
            socket.Listen();
        }
    });

    private static void Prepare(Socket socket)
    {
        socket.Blocking = false;
        socket.NoDelay = true;
    }

    private static bool BeginConnect(Socket server, IPEndPoint endPoint)
    {
        try
        {
            server.Connect(endPoint);
            return false;
        }
        catch (SocketException exception) when (exception.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            return true;
        }
    }

    private void Accept(Socket client)
    {
        if (_isCut)
        {
            client.Close(0);
            return;
        }

        Clients++;
        Socket? server = null;
        try
        {
            server = new Socket(_setup.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            Prepare(client);
            Prepare(server);
            bool isConnecting = BeginConnect(server, _setup.Server);
            Join(
                new StreamEnd(client, connectingTo: null, _loop, _traffic.Buffer, _open),
                new StreamEnd(server, isConnecting ? _setup.Server : null, _loop, _traffic.Buffer, _open));
        }
        catch (SocketException exception)
        {
            // The client sees the same error as with any server that is gone.
            client.Close(0);
            server?.Dispose();
            Remark(exception);
        }
    }

    private void Join(StreamEnd client, StreamEnd server)
    {
        client.From = server.To = new StreamFlow(_traffic.ToServer, client, server);
        server.From = client.To = new StreamFlow(_traffic.ToClients, server, client);
        foreach (StreamEnd end in (StreamEnd[])[client, server])
        {
            _loop.Add(end);
            _open.Add(end);
            end.Watch();
        }
    }

    private void Remark(SocketException exception)
    {
        if (ResourceShortage.Is(exception))
        {
            _setup.Recorder.Remark(ResourceShortage.Remark(exception));
        }
    }
}
