using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;
using NetCoreNetworkBenchmark.Tests.Running.Sides;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit;

/// <summary>What fails half-way, such as for want of descriptors, closes what it has opened.</summary>
public sealed class HalfOpenedTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);
    private static readonly RunPlan s_plan = new() { Library = "Failing", Clients = 3 };
    private static readonly IPEndPoint s_endPoint = new(IPAddress.Loopback, 1);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, InlineData(false), InlineData(true)]
    public void A_loop_that_cannot_be_created_closes_readiness_and_wake_up(bool hasWakeUp)
    {
        using var recorder = new RunRecorder();
        var readiness = new Readiness(isFull: true);
        var wake = new Opened();
        Assert.Throws<FailedException>(
            () => new PollLoop("test", recorder, servesClients: false, readiness, () => hasWakeUp ? wake : throw new FailedException()));
        Assert.Equal((true, hasWakeUp), (readiness.Closed.IsCompleted, wake.IsClosed));
    }

    [Fact]
    public async Task CreateAll_ends_the_loops_before_one_that_cannot_be_created()
    {
        using var recorder = new RunRecorder();
        Readiness[] opened = [new(), new()];
        Assert.Throws<FailedException>(() => PollLoop.CreateAll(count: 3, index => index < opened.Length
            ? new PollLoop("test", recorder, servesClients: false, opened[index], () => new Opened())
            : throw new FailedException()));
        await Task.WhenAll(opened.Select(readiness => readiness.Closed)).WaitAsync(s_deadline, Token);
    }

    [Fact]
    public async Task A_loop_closes_a_pollable_that_it_cannot_serve()
    {
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var pollable = new Opened();
        loop.Post(() => loop.Add(pollable));
        await recorder.Fault.WaitAsync(s_deadline, Token);
        await loop.StopAsync(s_deadline);
        Assert.True(pollable.IsClosed);
    }

    [Fact]
    public async Task A_group_whose_last_client_cannot_be_created_closes_the_others()
    {
        using var recorder = new RunRecorder();
        var created = new List<Opened>();
        var setup = new ClientSetup { EndPoint = s_endPoint, Plan = s_plan, Recorder = recorder };
        await Assert.ThrowsAsync<FailedException>(() => CallbackClientGroup.ConnectAsync("Failing", setup, _ => Create(), Token));
        Assert.Equal([true, true], created.Select(client => client.IsClosed));

        Opened Create()
        {
            created.Add(created.Count < s_plan.Clients - 1 ? new Opened() : throw new FailedException());
            return created[^1];
        }
    }

    [Fact]
    public async Task Both_sides_dispose_what_a_library_opened_before_it_failed()
    {
        var library = new FailingLibrary();
        Assert.Throws<FailedException>(() => new ServerSide(s_plan, library, new PingPong(), s_endPoint, new ProcessMeter()));
        Assert.Equal(1, library.Disposed);
        await Assert.ThrowsAsync<FailedException>(() => ClientSide.ConnectAsync(
            s_plan, library, new PingPong(), new ProcessMeter(), new NoCoordinator(), new ServerAddress(s_endPoint, ForClients: null), endsWithServer: false,
            Token));
        Assert.Equal(2, library.Disposed);
    }

    [Fact]
    public void A_descriptor_whose_transport_cannot_be_created_is_closed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has plain descriptors here.");
        using Socket listener = Setups.ListeningTcp();
        int descriptor = StreamSocket.Connect((IPEndPoint)listener.LocalEndPoint!, out _);
        using Socket accepted = listener.Accept();
        accepted.ReceiveTimeout = (int)s_deadline.TotalMilliseconds;
        Assert.Throws<FailedException>(() => StreamTransport.Owning(_ => throw new FailedException())(descriptor));
        Assert.Equal(0, accepted.Receive(new byte[1]));
    }

    private sealed class FailedException : Exception;

    private sealed class Readiness(bool isFull = false) : IReadiness
    {
        private readonly TaskCompletionSource _closed = new();

        public Task Closed => _closed.Task;

        public void Add(nint socket, int token, Interest interest)
        {
            if (isFull)
            {
                throw new FailedException();
            }
        }

        public void Change(nint socket, int token, Interest interest) { }

        public void Remove(nint socket) { }

        public int Wait(Span<Ready> ready, int timeout) => 0;

        public int WaitExactly(Span<Ready> ready, long nanoseconds) => 0;

        public void Dispose() => _closed.TrySetResult();
    }

    /// <summary>What is opened in these tests. It does nothing but close.</summary>
    private sealed class Opened : IWakeUp, IPollable, ICallbackClient
    {
        public bool IsClosed { get; private set; }
        public nint Handle => -1;
        public nint SocketHandle => -1;

        public void Signal() { }

        public void TakeSignals() { }

        public void OnReadable() { }

        public void OnTick() { }

        public void Connect() { }

        public void Start() { }

        public void Tick() { }

        public void Due(long due) { }

        public void Close() => IsClosed = true;

        public void Dispose() => IsClosed = true;
    }

    private sealed class FailingLibrary : INetworkBenchmark
    {
        public int Disposed { get; private set; }
        public LibraryInfo Info { get; } = new() { Name = "Failing", Version = "1.0", Protocols = [Protocol.Udp], Transmissions = [] };

        public IBenchmarkServer StartServer(ServerSetup setup) => new End(this);

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => Task.FromResult<IClientGroup>(new End(this));

        private sealed class End(FailingLibrary library) : IBenchmarkServer, IClientGroup
        {
            public IPEndPoint EndPoint => s_endPoint;
            public IReadOnlyList<int> Processes => throw new FailedException();
            public IReadOnlyList<int> Threads => throw new FailedException();

            public void Start() { }

            public void Pause() { }

            public ValueTask DisposeAsync()
            {
                library.Disposed++;
                return ValueTask.CompletedTask;
            }
        }
    }
}

/// <summary>Counts the sockets of the whole process, so no other test may run at the same time.</summary>
[Collection(nameof(LeakTests))]
[Trait("Category", "Leak")]
public sealed class HalfOpenedLeakTests
{
    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Clients_that_cannot_connect_leave_no_socket(string library)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sockets are counted in Linux's /proc.");
        const int Attempts = 50;
        await FailAsync(library);
        int before = LeakTests.Sockets();
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            await FailAsync(library);
        }

        Assert.InRange(LeakTests.Sockets(), 0, before);
    }

    // A socket without SO_BROADCAST may not connect to it (EACCES), or there is no route to it.
    private static async Task FailAsync(string library)
    {
        using var recorder = new RunRecorder();
        var plan = new RunPlan { Library = library, Clients = 1 };
        ClientSetup setup = Setups.OfClients(plan, recorder, new PingPong().CreateClientHandler(plan, recorder), new IPEndPoint(IPAddress.Broadcast, 9));
        await Assert.ThrowsAsync<BenchmarkException>(() => LibraryUnderTest.Create(library).ConnectAsync(setup, TestContext.Current.CancellationToken));
    }
}
