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
    private readonly Socket _listener = Listen();

    public RelayedConnections(ImpairmentPlan? impairment = null) => Relay = Relay.Start(SetupOf(impairment ?? new ImpairmentPlan(), ServerEndPoint, _recorder));

    public static TimeSpan Deadline => TimeSpan.FromSeconds(20);

    public Relay Relay { get; }
    public IPEndPoint ServerEndPoint => (IPEndPoint)_listener.LocalEndPoint!;
    public Task<Exception> Fault => _recorder.Fault;

    public static RelaySetup SetupOf(ImpairmentPlan impairment, IPEndPoint server, RunRecorder recorder) =>
        Setups.OfRelay(server, recorder, impairment, new RunPlan { Library = "Sockets", Protocol = Protocol.Tcp });

    /// <summary>A socket whose calls fail at the deadline.</summary>
    public static Socket Open() => Prepare(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));

    /// <summary>A socket of a server, at a free port.</summary>
    public static Socket Listen() => Prepare(Setups.ListeningTcp());

    /// <summary>Connects a client through a relay; the server's end is the relay's connection to the server.</summary>
    /// <param name="atOnce">What the client sends, and ends its stream with, before the relay is connected to the server; null if nothing.</param>
    public static ConnectionPair Connect(EndPoint relay, Socket server, byte[]? atOnce = null)
    {
        Socket client = Open();
        client.Connect(relay);
        if (atOnce is not null)
        {
            SendAndEnd(client, atOnce);
        }

        return new ConnectionPair(client, Prepare(server.Accept()));
    }

    /// <summary>Bytes that differ from their neighbours and from those of other seeds.</summary>
    public static byte[] Pattern(int seed, int size)
    {
        byte[] bytes = new byte[size];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    public static void SendAndEnd(Socket socket, byte[] bytes)
    {
        socket.Send(bytes);
        socket.Shutdown(SocketShutdown.Send);
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

    public ConnectionPair Connect(byte[]? atOnce = null) => Connect(Relay.EndPoint, _listener, atOnce);

    public async ValueTask DisposeAsync()
    {
        await Relay.DisposeAsync();
        _listener.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }

    private static Socket Prepare(Socket socket)
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
    private readonly Socket _server = RelayedConnections.Listen();

    public CutConnections()
    {
        var plan = new ImpairmentPlan { Cut = new Interruption(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(2)) };
        Listener = new ConnectionListener(RelayedConnections.SetupOf(plan, (IPEndPoint)_server.LocalEndPoint!, _recorder));
    }

    public ConnectionListener Listener { get; }

    public ConnectionPair Connect() => RelayedConnections.Connect(Listener.EndPoint, _server);

    public void Dispose()
    {
        Listener.Dispose();
        _server.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }
}
