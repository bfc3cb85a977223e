namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

/// <summary>A run over several hosts whose participants are fakes: one breaks, or they measure at different times.</summary>
public sealed class SeveralHostsTests
{
    // Longer than any time in which the coordinator could expect an answer at once.
    private static readonly TimeSpan s_slow = TimeSpan.FromSeconds(2);

    private static readonly RunPlan s_plan = new()
    {
        Library = SampleLibrary.Name,
        Clients = 20,
        Hosts = new HostsPlan { ServerHost = "host-a", ClientHosts = [new ClientHost("host-b", 3), new ClientHost("host-c", 1), new ClientHost("host-d", 1)] },
    };

    [Fact]
    public async Task LoadAsync_keeps_a_host_that_answers_late_and_names_each_host_without_a_result()
    {
        RunResult result = await RunAsync(
            new FakeServer(Task.FromResult<ServerReport?>(SampleFrames.Server)),
            new FakeLoadGenerator("host-b", async stopped =>
            {
                await stopped;
                await Task.Delay(s_slow);
                return ReportOf(12, 300);
            }),
            new FakeLoadGenerator("host-c", _ => throw new BenchmarkException("It is frozen.")),
            new FakeLoadGenerator("host-d", async stopped =>
            {
                await stopped;
                throw new BenchmarkException("It has no figures either.");
            }));
        Assert.Equal("It is frozen.", result.InvalidReasons[0]);
        Assert.Contains("host-c has no figures (4 clients).", result.InvalidReasons);
        Assert.Contains("host-d has no figures (4 clients): It has no figures either.", result.InvalidReasons);
        HostResult kept = Assert.Single(result.Hosts!.Clients);
        Assert.Equal(("host-b", 12, 300, 0.6, null), (kept.Host, kept.Clients, kept.Messages, kept.DueShare, kept.Share));
        Assert.Equal(["host-c", "host-d"], result.Hosts.Missing!.Select(host => host.Host));
    }

    [Fact]
    public async Task LoadAsync_names_the_server_that_does_not_report_after_a_fault()
    {
        RunResult result = await RunAsync(
            new FakeServer(Task.FromException<ServerReport?>(new BenchmarkException("It is frozen."))),
            new FakeLoadGenerator("host-b", async stopped =>
            {
                await stopped;
                return ReportOf(12, 300);
            }),
            new FakeLoadGenerator("host-c", async stopped =>
            {
                await stopped;
                return ReportOf(4, 100);
            }),
            new FakeLoadGenerator("host-d", _ => throw new BenchmarkException("The server is frozen.")));
        Assert.Contains("host-a has no figures (the server): It is frozen.", result.InvalidReasons);
        Assert.Equal(ServerKind.Own, result.ServerKind);
        Assert.Null(result.Hosts!.Server);
        Assert.Equal(["host-d", "host-a"], result.Hosts.Missing!.Select(host => host.Host));
    }

    [Fact]
    public async Task Server_counts_from_the_last_begin_to_the_last_end_of_the_load_generators()
    {
        var server = new FakeServer(Task.FromResult<ServerReport?>(SampleFrames.Server));
        var first = new FakeLoadGenerator("host-b", _ => Task.FromResult(ReportOf(10, 100)));
        var second = new FakeLoadGenerator("host-c", _ => Task.FromResult(ReportOf(10, 100)));
        var participants = new ParticipantGroup { Server = server, LoadGenerators = [first, second] };
        await using SlicedRun run = await SlicedRunOf(participants);
        first.Coordinator!.Enter(RunPhase.Measure);
        Assert.Empty(server.Entered);
        second.Coordinator!.Enter(RunPhase.Measure);
        Assert.Equal([RunPhase.Measure], server.Entered);
        second.Coordinator.Enter(RunPhase.Drain);
        Assert.Equal([RunPhase.Measure], server.Entered);
        first.Coordinator.Enter(RunPhase.Drain);
        Assert.Equal([RunPhase.Measure, RunPhase.Drain], server.Entered);
    }

    [Fact]
    public async Task SliceAsync_suspends_the_server_after_it_has_handled_the_end_of_the_measurement()
    {
        var server = new FakeServer(Task.FromResult<ServerReport?>(SampleFrames.Server));
        var clients = new FakeLoadGenerator("host-b", _ => throw new NotSupportedException());
        var participants = new ParticipantGroup { Server = server, LoadGenerators = [clients] };
        await using SlicedRun run = await SlicedRunOf(participants);
        await run.SliceAsync(TimeSpan.Zero, TimeSpan.Zero, TestContext.Current.CancellationToken);
        Assert.Equal([RunPhase.Measure, RunPhase.Drain], server.Entered);
        Assert.Equal(2, server.HandledAtSuspend);
    }

    private static async Task<RunResult> RunAsync(IServerHost server, params ILoadGenerator[] drivers)
    {
        var participants = new ParticipantGroup { Server = server, LoadGenerators = drivers };
        return await RunOf(participants).RunAsync(TestContext.Current.CancellationToken)
            .WaitAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken);
    }

    private static Run RunOf(ParticipantGroup participants) =>
        new(s_plan, SampleLibrary.Info, new PingPong(), participants) { Fitness = new Fitness { Warnings = [] } };

    private static Task<SlicedRun> SlicedRunOf(ParticipantGroup participants) => SlicedRun.OpenAsync(
        s_plan, SampleLibrary.Info, new PingPong(), participants, TestContext.Current.CancellationToken);

    private static ClientReport ReportOf(int clients, long messages) => SampleFrames.Clients with
    {
        Clients = clients,
        Measured = new MessageCounters { ClientSent = messages, ClientReceived = messages },
        DurationSeconds = 1,
        Aborted = true,
    };

    private static HostReport HostOf(string name) => new(
        name,
        new HostFacts
        {
            ProcessId = 1,
            MachineName = name,
            BootId = name,
            Clock = DateTimeOffset.UnixEpoch,
            Environment = MachineInspector.Inspect(),
            Fitness = new Fitness { Warnings = [] },
        },
        TimeSpan.Zero);

    private abstract class FakeParticipant(string name) : IParticipant
    {
        public string Name => name;
        public Task<Exception> Broken => Breaking.Task;
        public HostReport? Host { get; } = HostOf(name);
        public bool CanSuspend => true;
        protected TaskCompletionSource<Exception> Breaking { get; } = new();

        public virtual void Suspend() { }

        public void Resume() { }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    /// <summary>As a process does, it takes a phase at once, and handles it before it answers what it is asked later.</summary>
    private sealed class FakeServer(Task<ServerReport?> report) : FakeParticipant("host-a"), IServerHost
    {
        private int _handled;

        public List<RunPhase> Entered { get; } = [];
        public int HandledAtSuspend { get; private set; } = -1;

        public Task<ServerAddress> StartAsync(CancellationToken cancellationToken) =>
            Task.FromResult(new ServerAddress(new IPEndPoint(IPAddress.Loopback, 1), null));

        public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public void Enter(RunPhase phase) => Entered.Add(phase);

        public Task<TimeSpan> ReadCompilationTimeAsync(CancellationToken cancellationToken)
        {
            _handled = Entered.Count;
            return Task.FromResult(TimeSpan.Zero);
        }

        public override void Suspend() => HandledAtSuspend = _handled;

        public Task<ServerReport?> StopAsync() => report;
    }

    /// <param name="load">The load. Its task ends when the load is to be ended.</param>
    private sealed class FakeLoadGenerator(string name, Func<Task, Task<ClientReport>> load) : FakeParticipant(name), ILoadGenerator
    {
        public ICoordinator? Coordinator { get; private set; }

        public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken)
        {
            Coordinator = coordinator;
            return Task.CompletedTask;
        }

        public async Task<ClientReport> LoadAsync(CancellationToken stop)
        {
            var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            using CancellationTokenRegistration registration = stop.Register(stopped.SetResult);
            await Task.Yield();
            try
            {
                return await load(stopped.Task);
            }
            catch (BenchmarkException exception)
            {
                Breaking.TrySetResult(exception);
                throw;
            }
        }

        public Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken)
        {
            Coordinator!.Enter(RunPhase.Measure);
            Coordinator.Enter(RunPhase.Drain);
            return Task.FromResult(new SliceReport(1, 1, 0, 0, 0));
        }

        public Task<ClientReport> ReportAsync() => throw new NotSupportedException();
    }
}

/// <summary>One coordinator with many drivers. The figures of Docs/several-hosts.md are the output of these tests.</summary>
[Collection(nameof(Hostile.TortureTests))]
[Trait("Category", "Long")]
public sealed class ManyLoadGeneratorsTests
{
    private const int Agents = 64;

    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Port = 0,
        Test = "PingPong",
        Clients = 1,

        // A closed loop of so many processes would leave the coordinator without CPU time, and be about the machine.
        Rate = 10,
        Duration = TimeSpan.FromMilliseconds(500),
        WarmUp = TimeSpan.FromMilliseconds(200),
    };

    [Fact]
    public async Task Sixty_four_agents_connect_run_in_step_and_are_merged()
    {
        RunPlan together = s_plan with { Clients = Agents, Rate = Agents * s_plan.Rate };
        var participants = new ParticipantGroup
        {
            Server = new ServerAgent(together, new AgentSource(() => Start(AgentRole.Server)), credentials: null),
            LoadGenerators = [.. Enumerable.Range(0, Agents).Select(_ => new LoadGeneratorAgent(s_plan, new AgentSource(() => Start(AgentRole.Client))))],
        };
        long start = Stopwatch.GetTimestamp();
        RunResult result = await new Run(together, new SocketsBenchmark().Info, new PingPong(), participants).RunAsync(TestContext.Current.CancellationToken);
        TimeSpan whole = Stopwatch.GetElapsedTime(start);
        Assert.Equal(Agents, result.LoadGenerators!.Count);
        Assert.Equal(result.Messages.ClientReceived, result.LoadGenerators.Sum(driver => driver.Messages));
        Assert.Equal(result.Messages.ClientReceived, HistogramCodec.Decode(result.Clients.Latency.Histogram!).Count);
        Assert.Equal(result.Totals.Sent, result.Totals.Received);
        TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant($"{Agents} agents: the whole run {whole.TotalMilliseconds:N0} ms"));
    }

    [Theory, InlineData(4), InlineData(64), InlineData(400), InlineData(4_000)]
    public void Merge_keeps_all_counts_of_many_load_generators(int drivers)
    {
        ClientReport report = ReportOfOneDriver();
        ClientReport[] reports = [.. Enumerable.Repeat(report, drivers)];
        int bytes = JsonSerializer.SerializeToUtf8Bytes(new ResultFrame { Clients = report }, FrameJson.Default.Frame).Length;
        long start = Stopwatch.GetTimestamp();
        ClientReport merged = LoadGeneratorReports.Merge(reports);
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        Assert.Equal(drivers * report.Measured.ClientReceived, merged.Measured.ClientReceived);
        Assert.Equal(drivers * HistogramCodec.Decode(report.Latency.Histogram!).Count, HistogramCodec.Decode(merged.Latency.Histogram!).Count);
        TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant(
            $"{drivers} drivers: a result of {bytes:N0} bytes each, merged in {time.TotalMilliseconds:N1} ms, {time.TotalMicroseconds / drivers:N0} µs each"));
    }

    [Fact]
    public void Merge_has_no_latencies_if_only_some_load_generators_know_them()
    {
        ClientReport known = ReportOfOneDriver();
        ClientReport unknown = known with { Latency = new LatencyReport(null, null) };
        ClientReport silent = unknown with { Measured = default };
        Assert.Null(LoadGeneratorReports.Merge([known, unknown]).Latency.Microseconds);
        Assert.NotNull(LoadGeneratorReports.Merge([known, silent]).Latency.Microseconds);
    }

    [Fact]
    public async Task All_signs_of_life_of_a_long_run_arrive_in_their_order()
    {
        const int Frames = 10_000;
        await using var pair = new ChannelPair();
        _ = pair.Other;
        long start = Stopwatch.GetTimestamp();
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        for (int number = 1; number <= Frames; number++)
        {
            var progress = new RunProgress(RunPhase.Measure, TimeSpan.FromSeconds(number), TimeSpan.FromSeconds(Frames), number);
            pair.Here.Send(new ProgressFrame(progress));
            Frame arrived = await pair.Other.ReceiveAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken);
            Assert.Equal(new ProgressFrame(progress), arrived);
        }

        TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant(
            $"A frame with its acknowledgement: {Stopwatch.GetElapsedTime(start).TotalMicroseconds / Frames:N0} µs, ") +
            FormattableString.Invariant($"{(Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / Frames:N0} µs CPU of both ends"));
    }

    private static AgentProcess Start(AgentRole role) => new(role, new ProcessStartInfo("dotnet", [typeof(Catalog).Assembly.Location, AgentProgram.Option]));

    // Latencies between 20 µs and 20 ms, as many different ones as a run of some seconds has.
    private static ClientReport ReportOfOneDriver()
    {
        const int Messages = 200_000;
        var histogram = new LatencyHistogram();
        var random = new Random(1);
        for (int message = 0; message < Messages; message++)
        {
            histogram.Record((long)(20_000 * Math.Pow(1_000, random.NextDouble() * random.NextDouble())));
        }

        return SampleFrames.Clients with
        {
            Measured = new MessageCounters { ClientReceived = Messages, ClientSent = Messages },
            Latency = LatencyReport.From(histogram),
            Reconnections = null,
            Parts = [],
            Distributions = [],
            ReceivedByClient = null,
            Uncorrected = null,
        };
    }
}
