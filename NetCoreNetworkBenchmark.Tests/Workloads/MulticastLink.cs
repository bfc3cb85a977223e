using NetCoreNetworkBenchmark.Workloads.Multicasts;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>Both sides of Multicast over a link made of lists: no network, and no thread except that of the schedule.</summary>
internal sealed class MulticastLink : IAsyncDisposable
{
    public const int Capacity = 100;

    public MulticastLink(int messageSize = 32, double? rate = null, bool group = false)
    {
        var plan = new RunPlan
        {
            Library = "none",
            Clients = 1,
            MessageSize = messageSize,
            MessageLoad = MessageLoad.Random,
            Rate = rate,
            Address = group ? "239.255.0.1" : "127.0.0.1",
        };
        var workload = new Multicast();
        Server = workload.CreateServerHandler(plan, Recorder);
        ClientHandler = workload.CreateClientHandler(plan, Recorder);
        Worker = Recorder.AddWorker(recordsLatency: true);
        Recorder.Enter(RunPhase.Measure);
        Worker.ReadClock();
        AtServer = new Peer(ToClient);
        AtClient = new Peer(FromClient);
        Server.OnConnected(AtServer, Worker);
        ClientHandler.OnConnected(AtClient, Worker);
    }

    public RunRecorder Recorder { get; } = new();
    public IServerHandler Server { get; }
    public IClientHandler ClientHandler { get; }
    public WorkerStatistics Worker { get; }
    public Peer AtServer { get; }
    public Peer AtClient { get; }
    public List<byte[]> ToClient { get; } = [];
    public List<byte[]> FromClient { get; } = [];

    // Counts of the measurement and the drain together.
    public MessageCounters Counters => Recorder.Count(RunPhase.Measure, RunPhase.Drain);

    public static void Spin(double milliseconds)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start).TotalMilliseconds < milliseconds)
        {
            Thread.SpinWait(1);
        }
    }

    public Peer ConnectGroup()
    {
        var group = new Peer([]) { IsGroup = true };
        Server.OnConnected(group, Worker);
        return group;
    }

    public void Start() => ClientHandler.OnStart(AtClient, Worker);

    public void Begin()
    {
        Start();
        CarryToServer();
    }

    public void CarryToServer()
    {
        byte[][] messages = [.. FromClient];
        FromClient.Clear();
        foreach (byte[] message in messages)
        {
            Server.OnMessage(AtServer, message, Worker);
        }

        if (AtServer.TakeWakes() > 0)
        {
            Server.OnWritable(AtServer, Worker);
        }
    }

    public void CarryToClient(bool readsClock = true)
    {
        byte[][] messages = [.. ToClient];
        ToClient.Clear();
        Array.ForEach(messages, message => Deliver(message, readsClock));
    }

    public void Deliver(byte[] message, bool readsClock = true)
    {
        if (readsClock)
        {
            Worker.ReadClock();
        }

        ClientHandler.OnMessage(AtClient, message, Worker);
    }

    public void Tick(int times = 1)
    {
        for (int time = 0; time < times; time++)
        {
            Worker.ReadClock();
            ClientHandler.OnTick(AtClient, Worker);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await ((IAsyncDisposable)Server).DisposeAsync();
        Recorder.Dispose();
    }

    internal sealed class Peer(List<byte[]> sent) : IPeer
    {
        private readonly TaskCompletionSource _woken = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _wakes;

        public List<byte[]> Sent => sent;
        public bool IsGroup { get; init; }
        public Task Woken => _woken.Task;
        public int Wakes => Volatile.Read(ref _wakes);
        public object? State { get; set; }
        public bool IsCongested => sent.Count >= Capacity;

        public int TakeWakes() => Interlocked.Exchange(ref _wakes, 0);

        public void Wake()
        {
            Interlocked.Increment(ref _wakes);
            _woken.TrySetResult();
        }

        public bool Send(ReadOnlySpan<byte> message)
        {
            sent.Add(message.ToArray());
            return true;
        }

        public void Close()
        {
        }
    }
}
