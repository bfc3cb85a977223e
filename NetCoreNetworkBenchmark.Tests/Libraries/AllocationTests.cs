namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>
/// The path of a message allocates nothing in this program. The runtime counts allocations on the threads that serve messages, over several
/// windows of messages. A one-time allocation (a static field at its first use, code that is compiled again) falls into one window; an allocation
/// for messages falls into all of them. These libraries have threads of their own; <see cref="PoolAllocationTests"/> has the others.
/// </summary>
public sealed class AllocationTests
{
    private const int Warm = 2_000;
    private const int Counted = 10_000;
    private const int CountedOfRate = 4_000;
    private const int Windows = 5;
    private const double Rate = 25_000;

    [Theory]
    [InlineData("Memory", Protocol.Udp, "", 10, 10)]
    [InlineData("Sockets", Protocol.Udp, "", 10, 1)]
    [InlineData("Sockets", Protocol.Udp, "", 4, 20)]
    [InlineData("ENet", Protocol.Udp, "", 10, 1)]
    [InlineData("ENet", Protocol.Udp, "", 4, 20)]
    [InlineData("Epoll", Protocol.Udp, "batch=call", 10, 1)]
    [InlineData("Epoll", Protocol.Udp, "batch=call", 4, 20)]
    [InlineData("Epoll", Protocol.Udp, "batch=mmsg", 4, 20)]
    [InlineData("Epoll", Protocol.Udp, "batch=gso", 10, 1)]
    [InlineData("Epoll", Protocol.Udp, "batch=gso", 4, 20)]
    [InlineData("Epoll", Protocol.Tcp, "send=message", 10, 1)]
    [InlineData("Epoll", Protocol.Tcp, "send=message", 4, 1000)]
    [InlineData("Epoll", Protocol.Tcp, "send=message", 4, 1000, Framing.Length)]
    [InlineData("Epoll", Protocol.Tcp, "send=receive", 10, 1)]
    [InlineData("Epoll", Protocol.Tcp, "send=receive", 4, 1000)]
    [InlineData("Epoll", Protocol.Ssl, "send=message", 10, 1)]
    [InlineData("Epoll", Protocol.Ssl, "send=message", 4, 1000)]
    [InlineData("Epoll", Protocol.Ssl, "send=message", 4, 1000, Framing.Length)]
    [InlineData("Epoll", Protocol.Ssl, "send=receive", 10, 1)]
    [InlineData("Epoll", Protocol.Ssl, "send=receive", 4, 1000)]
    public Task A_round_trip_allocates_no_byte(
        string library, Protocol protocol, string setting, int clients, int parallelMessages, Framing framing = Framing.Fixed) =>
        AssertAllocatesNothingAsync(PlanOf(library, protocol, setting, clients, parallelMessages) with { Framing = framing });

    [Theory, InlineData("Memory"), InlineData("Sockets"), InlineData("ENet")]
    public Task A_message_of_an_open_loop_allocates_no_byte(string name) =>
        AssertAllocatesNothingAsync(new RunPlan { Library = name, Clients = 10, Rate = Rate, Port = 0 }, CountedOfRate);

    internal static RunPlan PlanOf(string library, Protocol protocol, string setting, int clients, int parallelMessages)
    {
        var plan = new RunPlan { Library = library, Protocol = protocol, Clients = clients, ParallelMessages = parallelMessages, Port = 0 };
        return setting.Split('=') is [var name, var value] ? plan with { Settings = new Dictionary<string, string> { [name] = value } } : plan;
    }

    /// <summary>Serves messages until one thread of either side has served enough of them.</summary>
    /// <param name="tolerated">The most bytes that may be allocated in the best of the windows.</param>
    internal static async Task AssertAllocatesNothingAsync(RunPlan plan, int counted = Counted, long tolerated = 0)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(plan.Library);
        TlsCredentials? credentials = plan.Protocol == Protocol.Ssl ? CertificateMaker.Make(TlsKey.P256, []) : null;
        using var recorder = new RunRecorder(openLoop: plan.Rate is not null);
        var workload = new PingPong();
        var server = new CountingServer(workload.CreateServerHandler(plan, recorder), counted);
        var client = new CountingClient(workload.CreateClientHandler(plan, recorder), counted);
        IBenchmarkServer running = library.StartServer(new ServerSetup
        {
            EndPoint = new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0),
            Plan = plan,
            Credentials = credentials,
            Handler = server,
            Recorder = recorder,
        });
        await using (running)
        {
            IClientGroup group = await LibraryUnderTest.ClientsFor(library, plan.Protocol).ConnectAsync(
                new ClientSetup { EndPoint = running.EndPoint, Plan = plan, Credentials = credentials, Handler = client, Recorder = recorder },
                TestContext.Current.CancellationToken);
            await using (group)
            {
                recorder.Enter(RunPhase.Measure);
                group.Start();
                Assert.InRange(await server.Thread.AllocatedAsync(), 0, tolerated);
                Assert.InRange(await client.Thread.AllocatedAsync(), 0, tolerated);
                recorder.Enter(RunPhase.Stop);
            }
        }
    }

    /// <summary>
    /// The fewest bytes that one thread allocated in a window of messages, including all of its work between them. This is the first thread that has
    /// served enough messages.
    /// </summary>
    private sealed class ThreadAccount(int counted)
    {
        private const long Unknown = -1;
        private readonly ConcurrentDictionary<int, Windows> _windows = new();
        private long _messages;
        private long _allocated = Unknown;

        public void OnMessage()
        {
            Windows windows = _windows.GetOrAdd(Environment.CurrentManagedThreadId, static _ => new Windows());
            _messages = Math.Max(_messages, ++windows.Messages);
            if (windows.Messages < Warm || (windows.Messages - Warm) % counted != 0)
            {
                return;
            }

            long now = GC.GetAllocatedBytesForCurrentThread();
            windows.Least = windows.Messages == Warm ? long.MaxValue : Math.Min(windows.Least, now - windows.Before);
            windows.Before = now;
            if (windows.Messages == Warm + (AllocationTests.Windows * counted) && Volatile.Read(ref _allocated) == Unknown)
            {
                // A plain field, as a completion source would allocate on this thread, whose other account still counts.
                Volatile.Write(ref _allocated, windows.Least);
            }
        }

        public async Task<long> AllocatedAsync()
        {
            await Wait.UntilAsync(() => Volatile.Read(ref _allocated) != Unknown, () => $"only {Volatile.Read(ref _messages)} messages came");
            return Volatile.Read(ref _allocated);
        }

        private sealed class Windows
        {
            public long Messages { get; set; }
            public long Before { get; set; }
            public long Least { get; set; } = long.MaxValue;
        }
    }

    private sealed class CountingServer(IServerHandler inner, int counted) : IServerHandler
    {
        public ThreadAccount Thread { get; } = new(counted);

        public void OnConnected(IPeer peer, WorkerStatistics worker) => inner.OnConnected(peer, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            Thread.OnMessage();
            inner.OnMessage(peer, message, worker);
        }

        public void OnClosed(IPeer peer, WorkerStatistics worker) => inner.OnClosed(peer, worker);
    }

    private sealed class CountingClient(IClientHandler inner, int counted) : IClientHandler
    {
        public ThreadAccount Thread { get; } = new(counted);

        public void OnConnected(IPeer peer, WorkerStatistics worker) => inner.OnConnected(peer, worker);

        public void OnStart(IPeer peer, WorkerStatistics worker) => inner.OnStart(peer, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            Thread.OnMessage();
            inner.OnMessage(peer, message, worker);
        }

        public void OnDue(IPeer peer, long due, WorkerStatistics worker) => inner.OnDue(peer, due, worker);

        public void OnTick(IPeer peer, WorkerStatistics worker) => inner.OnTick(peer, worker);

        public void OnClosed(IPeer peer, WorkerStatistics worker) => inner.OnClosed(peer, worker);
    }
}

/// <summary>
/// As <see cref="AllocationTests"/>, for libraries whose messages are served by the runtime's thread pool. Its threads also do the work of other tests, so
/// no other test may run at the same time.
/// </summary>
[Collection(nameof(LeakTests))]
public sealed class PoolAllocationTests
{
    // The pool has many threads, and one of them has to serve all windows.
    private const int Counted = 1_000;

    // Less than a byte for each: the queues of the runtime's pool occasionally allocate a larger array, while the smallest possible allocation for a
    // message is 24 bytes.
    [Theory]
    [InlineData("Sockets", Protocol.Tcp, 10, 1, "message")]
    [InlineData("Sockets", Protocol.Tcp, 4, 20, "message")]
    [InlineData("Sockets", Protocol.Tcp, 4, 20, "receive")]
    [InlineData("Sockets", Protocol.Ssl, 4, 20, "message")]
    [InlineData("Sockets", Protocol.Ssl, 4, 20, "receive")]
    [InlineData("Kestrel", Protocol.Tcp, 4, 20, "message")]
    [InlineData("Kestrel", Protocol.Tcp, 4, 20, "receive")]
    [InlineData("Kestrel", Protocol.Ssl, 4, 20, "message")]
    [InlineData("Kestrel", Protocol.Ssl, 4, 20, "receive")]
    [InlineData("WebSockets", Protocol.Tcp, 4, 20, "message")]
    [InlineData("WebSockets", Protocol.Ssl, 4, 20, "message")]
    public Task A_round_trip_over_a_stream_allocates_no_byte(
        string library, Protocol protocol, int clients, int parallelMessages, string send) => AllocationTests.AssertAllocatesNothingAsync(
        AllocationTests.PlanOf(library, protocol, $"send={send}", clients, parallelMessages) with { Transmission = Transmission.Reliable },
        Counted,
        tolerated: Counted - 1);
}
