namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>Both ends of one connection through a relay. Their calls block, and fail at the deadline.</summary>
internal sealed record ConnectionPair(Socket Client, Socket Server) : IDisposable
{
    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }
}

/// <summary>A relay for connections with a server's listening socket behind it.</summary>
internal sealed class RelayedConnections : IAsyncDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly Socket _listener = Open();

    public RelayedConnections(ImpairmentPlan? impairment = null)
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Relay = Relay.Start(SetupOf(impairment ?? new ImpairmentPlan(), ServerEndPoint, _recorder));
    }

    public static TimeSpan Deadline => TimeSpan.FromSeconds(20);

    public Relay Relay { get; }
    public IPEndPoint ServerEndPoint => (IPEndPoint)_listener.LocalEndPoint!;
    public Task<Exception> Fault => _recorder.Fault;

    public static RelaySetup SetupOf(ImpairmentPlan impairment, IPEndPoint server, RunRecorder recorder) =>
        new(new IPEndPoint(IPAddress.Loopback, 0), server, impairment, new RunPlan { Library = "Sockets", Protocol = Protocol.Tcp }, recorder);

    /// <summary>A socket whose calls fail at the deadline.</summary>
    public static Socket Open() => Prepare(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));

    /// <summary>Bytes that differ from their neighbours and from those of other seeds.</summary>
    public static byte[] Pattern(int seed, int size)
    {
        byte[] bytes = new byte[size];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Receives the given number of bytes, or fewer if the stream ends before.</summary>
    public static byte[] Receive(Socket socket, int count)
    {
        byte[] bytes = new byte[count];
        int received = 0;
        while (received < count)
        {
            int length = socket.Receive(bytes, received, count - received, SocketFlags.None);
            if (length == 0)
            {
                return bytes[..received];
            }

            received += length;
        }

        return bytes;
    }

    /// <summary>Connects one client; the server's end is the relay's connection to the server.</summary>
    public ConnectionPair Connect()
    {
        Socket client = Open();
        client.Connect(Relay.EndPoint);
        Socket server = Prepare(_listener.Accept());
        return new ConnectionPair(client, server);
    }

    public async ValueTask DisposeAsync()
    {
        await Relay.DisposeAsync();
        _listener.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }

    public static Socket Prepare(Socket socket)
    {
        socket.SendTimeout = socket.ReceiveTimeout = (int)Deadline.TotalMilliseconds;
        socket.NoDelay = true;
        return socket;
    }
}

/// <summary>The part of a relay that carries connections, whose cuts the test starts and ends, with a server's listening socket behind it.</summary>
internal sealed class CutConnections : IDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly Socket _server = RelayedConnections.Open();

    public CutConnections()
    {
        _server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _server.Listen();
        var plan = new ImpairmentPlan { Cut = new Interruption(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(2)) };
        Listener = new ConnectionListener(RelayedConnections.SetupOf(plan, (IPEndPoint)_server.LocalEndPoint!, _recorder));
    }

    public ConnectionListener Listener { get; }

    /// <summary>Connects one client; the server's end is the relay's connection to the server.</summary>
    public ConnectionPair Connect()
    {
        Socket client = RelayedConnections.Open();
        client.Connect(Listener.EndPoint);
        return new ConnectionPair(client, RelayedConnections.Prepare(_server.Accept()));
    }

    public void Dispose()
    {
        Listener.Dispose();
        _server.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }
}
