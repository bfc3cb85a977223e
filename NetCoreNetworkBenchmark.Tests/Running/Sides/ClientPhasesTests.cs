namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class ClientPhasesTests
{
    private static readonly PingPong s_workload = new();
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Clients = 1,
        Rate = 10_000,

        // The drain ends after a second more.
        LossDeadline = TimeSpan.Zero,
    };

    private readonly ProcessMeter _meter = new();

    // A schedule that ends before the drain begins leaves messages that are due and never sent.
    [Fact]
    public async Task PauseAsync_does_not_wait_for_messages_that_are_due_as_the_schedule_ends()
    {
        using ClientFigures figures = FiguresOf(s_plan);
        await using var clients = new PunctualClients(figures.Recorder);
        ClientPhases phases = PhasesOf(s_plan, figures, clients);
        await phases.WarmUpAsync(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken);
        await phases.PauseAsync(TestContext.Current.CancellationToken);
        Assert.Equal((true, false), (clients.WasPaused, figures.HasUnsent));
    }

    // Clients receive nothing while they send their first messages, which may be 100,000.
    [Theory, InlineData(true), InlineData(false)]
    public async Task SettleAsync_waits_for_the_answers_of_clients_that_are_long_at_their_first_messages(bool staysInFlight)
    {
        RunPlan plan = s_plan with { Rate = null, ParallelMessages = 3 };
        using ClientFigures figures = FiguresOf(plan);
        int answers = staysInFlight ? plan.Clients : plan.Clients * plan.ParallelMessages;
        await using var clients = new SlowClients(figures.Recorder, answers);
        ClientPhases phases = PhasesOf(plan, figures, clients);
        await phases.SettleAsync(TimeSpan.Zero, staysInFlight, TestContext.Current.CancellationToken);
        Assert.Equal(answers, figures.Recorder.Count(RunPhase.WarmUp).ClientReceived);
    }

    // The caller's thread reads what the coordinator sends, such as the acknowledgement of a heartbeat.
    [Fact]
    public async Task SettleAsync_does_not_keep_the_thread_of_its_caller_while_clients_send_their_first_messages()
    {
        RunPlan plan = s_plan with { Rate = null };
        using ClientFigures figures = FiguresOf(plan);
        await using var clients = new BlockingClients();
        ClientPhases phases = PhasesOf(plan, figures, clients);
        Task filled = phases.SettleAsync(TimeSpan.Zero, staysInFlight: true, TestContext.Current.CancellationToken);
        clients.Released.Set();
        await filled;
        Assert.True(clients.WasReleased);
    }

    private ClientFigures FiguresOf(RunPlan plan) => new(plan, new SocketsBenchmark(), s_workload, _meter, new IPEndPoint(IPAddress.Loopback, 1));

    private ClientPhases PhasesOf(RunPlan plan, ClientFigures figures, IClientGroup clients) =>
        new(plan, s_workload, _meter, new NoCoordinator(), figures, s_workload.CreateClientHandler(plan, figures.Recorder), clients);

    private sealed class BlockingClients : IClientGroup
    {
        public ManualResetEventSlim Released { get; } = new();
        public bool WasReleased { get; private set; }

        public void Start() => WasReleased = Released.Wait(LibraryUnderTest.Deadline);

        public void Pause() { }

        public ValueTask DisposeAsync()
        {
            Released.Dispose();
            return ValueTask.CompletedTask;
        }
    }

    /// <summary>Clients that have their first answers after a time.</summary>
    private sealed class SlowClients(RunRecorder recorder, int answers) : IClientGroup
    {
        private readonly WorkerStatistics _worker = recorder.AddWorker(recordsLatency: true);
        private Timer? _sent;

        public void Start() => _sent = new Timer(_ => _worker.Current.Counters.ClientReceived += answers, state: null, dueTime: 300, Timeout.Infinite);

        public void Pause() { }

        public async ValueTask DisposeAsync()
        {
            if (_sent is not null)
            {
                await _sent.DisposeAsync();
            }
        }
    }

    /// <summary>Clients that end their schedule within the call, send what is due until then, and have an answer to each message at once.</summary>
    private sealed class PunctualClients(RunRecorder recorder) : IClientGroup, IPacedClient
    {
        private readonly WorkerStatistics _worker = recorder.AddWorker(recordsLatency: true);
        private Pacer? _pacer;

        public bool WasPaused { get; private set; }

        public void Start() => _pacer = new Pacer(SendSchedule.From(s_plan)!, [this], first: 0, step: 1, recorder.Clock.GetTimestamp(), _worker);

        public void Pause()
        {
            _pacer!.End();
            while (_pacer.NextDue < long.MaxValue)
            {
                _pacer.OnDue(recorder.Clock.GetTimestamp());
            }

            WasPaused = true;
        }

        public void Due(long due) { }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
