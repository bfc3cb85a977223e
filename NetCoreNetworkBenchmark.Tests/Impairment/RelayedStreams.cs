namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>Both ends of one connection through a relay. Their calls block, and fail at the deadline.</summary>
internal sealed record StreamPair(Socket Client, Socket Server) : IDisposable
{
    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }
}

/// <summary>A relay for streams with a server's listening socket behind it.</summary>
internal sealed class RelayedStreams : IAsyncDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly Socket _listener = Open();

    public RelayedStreams(ImpairmentPlan impairment, int clients = 1)
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Relay = Relay.Start(SetupOf(impairment, ServerEndPoint, _recorder, clients));
    }

    public static TimeSpan Deadline => TimeSpan.FromSeconds(20);

    public Relay Relay { get; }
    public IPEndPoint ServerEndPoint => (IPEndPoint)_listener.LocalEndPoint!;
    public Task<Exception> Fault => _recorder.Fault;

    public static RelaySetup SetupOf(ImpairmentPlan impairment, IPEndPoint server, RunRecorder recorder, int clients = 1) => new()
    {
        EndPoint = new IPEndPoint(IPAddress.Loopback, 0),
        Server = server,
        Impairment = impairment,
        Plan = new RunPlan { Library = "Sockets", Protocol = Protocol.Tcp, Clients = clients },
        Recorder = recorder,
    };

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
    public StreamPair Connect()
    {
        Socket client = Open();
        client.Connect(Relay.EndPoint);
        Socket server = Prepare(_listener.Accept());
        return new StreamPair(client, server);
    }

    /// <summary>The counts, read when nothing is in flight any more.</summary>
    public async Task<RelayCounts> CountAtRestAsync()
    {
        RelayCounts? counts = null;
        await Wait.UntilAsync(
            async () =>
            {
                counts = await Relay.CountAsync();
                return IsAtRest(counts.ToServer) && IsAtRest(counts.ToClients);
            },
            "nothing is under way");
        return counts!;
    }

    public async ValueTask DisposeAsync()
    {
        await Relay.DisposeAsync();
        _listener.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }

    private static bool IsAtRest(RelayDirectionCounts counts) => counts.Received == counts.Forwarded + counts.Overflowed;

    public static Socket Prepare(Socket socket)
    {
        socket.SendTimeout = socket.ReceiveTimeout = (int)Deadline.TotalMilliseconds;
        socket.NoDelay = true;
        return socket;
    }
}

/// <summary>The parts of a relay for streams on a loop that the test can use, with a server's listening socket behind them.</summary>
internal sealed class StreamRelayLoop : IAsyncDisposable
{
    private readonly RunRecorder _recorder = new();
    private readonly Socket _server = RelayedStreams.Open();

    public StreamRelayLoop(ImpairmentPlan plan)
    {
        _server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _server.Listen();
        Loop = new PollLoop("relay", _recorder, servesClients: false);
        Traffic = new Traffic(plan, bounds: StreamBounds.For(plan, clients: 1));
        Listener = new StreamListener(RelayedStreams.SetupOf(plan, (IPEndPoint)_server.LocalEndPoint!, _recorder), Loop, Traffic);
        Loop.Post(() =>
        {
            Listener.Begin();
            Loop.Add(Traffic.DelayQueue);
        });
    }

    public PollLoop Loop { get; }
    public Traffic Traffic { get; }
    public StreamListener Listener { get; }

    /// <summary>Connects one client; the server's end is the relay's connection to the server.</summary>
    public StreamPair Connect()
    {
        Socket client = RelayedStreams.Open();
        client.Connect(Listener.EndPoint);
        return new StreamPair(client, RelayedStreams.Prepare(_server.Accept()));
    }

    /// <summary>Does something on the thread of the loop, and waits for its end.</summary>
    public async Task OnLoopAsync(Action action)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Loop.Post(() =>
        {
            action();
            done.SetResult();
        });
        await done.Task.WaitAsync(RelayedStreams.Deadline, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await Loop.StopAsync(RelayedStreams.Deadline);
        Listener.Dispose();
        _server.Dispose();
        Assert.False(_recorder.Fault.IsCompleted);
        _recorder.Dispose();
    }
}
