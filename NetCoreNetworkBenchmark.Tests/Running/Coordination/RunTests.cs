using NetCoreNetworkBenchmark.Tests.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Coordination;

public sealed class RunTests
{
    private static readonly RunPlan s_plan = new()
    {
        Test = "PingPong",
        Library = "Sockets",
        Clients = 20,
        ParallelMessages = 5,
        Tls = new TlsPlan { Key = TlsKey.P256 },
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = TimeSpan.FromMilliseconds(200),
        Port = 0,
        AnyMachine = true,
    };

    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task RunAsync_gives_counters_that_add_up(string name, Protocol protocol)
    {
        RunResult result = await RunAsync(LibraryUnderTest.Create(name), PlanOf(name, protocol));
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal(result.Totals.Sent, result.Totals.Received + result.Totals.Lost + result.Totals.Unanswered);
        Assert.Equal(0, result.Totals.Unanswered);

        // At either end of the measurement, two counters differ by at most the window.
        int window = s_plan.Clients * s_plan.ParallelMessages;
        Assert.InRange(result.Messages.ClientSent - result.Messages.ClientReceived, -window, window);
        Assert.InRange(result.Messages.ServerReceived!.Value - result.Messages.ServerSent!.Value, -window, window);
        Assert.Equal(result.Messages.ClientReceived / result.DurationSeconds, result.MessagesPerSecond, tolerance: 1e-6);
    }

    [Theory, MemberData(nameof(LibraryUnderTest.WithServerThreads), MemberType = typeof(LibraryUnderTest))]
    public Task RunAsync_loses_nothing_with_two_server_threads(string name, Protocol protocol) =>
        LosesNothingAsync(PlanOf(name, protocol) with { ServerThreads = 2 });

    [Theory, MemberData(nameof(LibraryUnderTest.WithClientThreads), MemberType = typeof(LibraryUnderTest))]
    public Task RunAsync_loses_nothing_with_two_client_threads(string name, Protocol protocol) =>
        LosesNothingAsync(PlanOf(name, protocol) with { ClientThreads = 2 });

    // A slow machine only adds to the mean. Without updates it is far below a millisecond, and with them 50 ms.
    [Theory, MemberData(nameof(LibraryUnderTest.WithUpdates), MemberType = typeof(LibraryUnderTest))]
    public async Task RunAsync_with_updates_lets_messages_wait_for_half_an_interval_of_each_loop(string name, Protocol protocol)
    {
        RunPlan plan = PlanOf(name, protocol) with
        {
            ParallelMessages = 1,
            Rate = 200,
            Duration = TimeSpan.FromSeconds(1),
            ServerUpdateRate = 20,
            ClientUpdateRate = 20,
        };
        RunResult result = await RunAsync(LibraryUnderTest.Create(name), plan);
        Assert.Equal((0, 0, 0), (result.Errors, result.Lost, result.Totals.Unanswered));
        Assert.Equal(result.Totals.Sent, result.Totals.Received);
        Assert.InRange(result.LatencyMicroseconds!.Mean, 40_000, double.MaxValue);
        Assert.Contains("On average, 50 ms of a round trip are waits for updates", string.Join(' ', result.Verdict.Remarks), StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(LibraryUnderTest.WithCallToAll), MemberType = typeof(LibraryUnderTest))]
    public async Task RunAsync_with_one_call_for_all_clients_accounts_for_every_message(string name, Protocol protocol)
    {
        var workload = new Multicast();
        RunPlan plan = PlanOf(name, protocol) with { Test = workload.Name, Clients = 5, Rate = 500, Duration = TimeSpan.FromSeconds(1) };
        plan = workload.Options.Single(option => option.Name == "--broadcast").Apply(plan, string.Empty);
        RunResult result = await RunAsync(LibraryUnderTest.Create(name), plan, workload);
        Assert.Equal((0, 0, 0), (result.Errors, result.Lost, result.Totals.Duplicated));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal((0, 0), (result.Messages.ServerSent!.Value % plan.Clients, result.Messages.ClientReceived % plan.Clients));
    }

    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task RunAsync_of_an_open_loop_accounts_for_every_message(string name, Protocol protocol)
    {
        const double Rate = 500;
        RunPlan plan = PlanOf(name, protocol) with { ParallelMessages = 1, Rate = Rate, Duration = TimeSpan.FromSeconds(1) };
        RunResult result = await RunAsync(LibraryUnderTest.Create(name), plan);
        Assert.Equal((0, 0, 0), (result.Errors, result.Lost, result.Totals.Unanswered));
        Assert.Equal(result.Totals.Sent, result.Totals.Received + result.Totals.Lost);
        Assert.Equal((0, 0, 0), (result.Totals.Duplicated, result.Totals.Reordered, result.Totals.Corrupted));
        Assert.Equal((Rate, 2), (result.Schedule!.RequestedPerSecond, result.Schedule.LateBoundMilliseconds));
        Assert.Equal(result.Messages.ClientSent / result.DurationSeconds, result.Schedule.SentPerSecond, tolerance: 1e-6);
        Assert.InRange(result.Clients.Uncorrected!.Microseconds!.P50, 0, result.LatencyMicroseconds!.Max);
        Assert.NotNull(result.Clients.Uncorrected?.Histogram);
    }

    [Fact]
    public async Task RunAsync_has_ordered_percentiles_and_the_plan_in_the_result()
    {
        RunPlan plan = s_plan with { ClientThreads = 1, MessageLoad = MessageLoad.Random, MessageSize = 100 };
        RunResult result = await RunAsync(new SocketsBenchmark(), plan);
        LatencySummary latency = result.LatencyMicroseconds!;
        double[] ordered = [latency.P50, latency.P90, latency.P99, latency.P999, latency.P9999, latency.Max];
        Assert.Equal(ordered.Order(), ordered);
        Assert.InRange(result.Clients.WarmUpSeconds, s_plan.WarmUp.TotalSeconds, double.MaxValue);
        Assert.Equal(
            ("Sockets", "PingPong", "Udp", "Unreliable", MessageLoad.Random),
            (result.Library, result.Plan.Test, result.Protocol, result.Transmission, result.Plan.MessageLoad));
        Assert.Equal((20, 5, 100, 0.2), (result.Plan.Clients, result.Plan.ParallelMessages, result.Plan.MessageSize, result.Plan.Duration.TotalSeconds));
        Assert.Equal(result.Messages.ClientReceived * 100 / 1048576.0 / result.DurationSeconds, result.MebibytesPerSecond, tolerance: 1e-6);
        Assert.Equal(
            "NetCoreNetworkBenchmark --test PingPong --library Sockets --protocol Udp --transmission Unreliable --address 127.0.0.1 --port 0 --clients 20 " +
            $"--messages 5 {(SharedPort.IsSupported ? "--server-threads 1 " : string.Empty)}--client-threads 1 --size 100 --messageload Random " +
            "--warmup 0.05 --duration 0.2 --any-machine",
            result.Command);
    }

    [Fact]
    public async Task Remarks_of_both_sides_are_in_the_result_once()
    {
        RunResult result = await RunAsync(new SocketsBenchmark(), s_plan, new Remarking());
        Assert.Equal(
            ["Both say this.", "The server says this.", "The clients say this."],
            result.Remarks.Where(remark => remark.EndsWith(" this.", StringComparison.Ordinal)));
        using var page = new StringWriter { NewLine = "\n" };
        new MarkdownReport().Write(result, page);
        Assert.Contains("\nNote: The server says this.\n\nNote: The clients say this.\n", page.ToString(), StringComparison.Ordinal);
        Assert.Contains("| Both, in one process |", page.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task RunAsync_has_no_cost_of_the_server_when_both_sides_share_a_process()
    {
        RunResult result = await RunAsync(new SocketsBenchmark(), s_plan);
        Assert.True(result.OneProcess);
        using var document = JsonDocument.Parse(new JsonReport().Render(result));
        Assert.False(document.RootElement.GetProperty("server").TryGetProperty("cost", out _));
        Assert.True(document.RootElement.GetProperty("clients").TryGetProperty("cost", out _));
        Assert.Equal(new RunCosts(null, null, result.Clients.Cost), result.Costs);
    }

    [Fact]
    public async Task Settings_of_the_plan_are_in_the_result_and_in_its_command()
    {
        RunResult result = await RunAsync(new SocketsBenchmark(), s_plan with { Settings = new Dictionary<string, string> { ["batch"] = "gso" } });
        Assert.Equal(new Dictionary<string, string> { ["batch"] = "gso" }, result.Plan.Settings);
        Assert.Contains(" --library Sockets --set Sockets.batch=gso --protocol Udp ", result.Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Threads_are_in_the_result_where_the_plan_chooses_them()
    {
        RunResult own = await RunAsync(new SocketsBenchmark(), PlanOf("Sockets", Protocol.Tcp));
        Assert.Equal((null, null), (own.Server?.Threads, own.Clients.Threads));
        RunResult sockets = await RunAsync(LibraryUnderTest.Create("Sockets"), s_plan with { Library = "Sockets", Clients = 3, ClientThreads = 5 });
        Assert.Equal((1, 3), (sockets.Server?.Threads, sockets.Clients.Threads));
        Assert.Contains(" --client-threads 5 ", sockets.Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cancelling_ends_the_run_and_keeps_what_was_measured()
    {
        using var abort = new CancellationTokenSource();
        RunPlan plan = s_plan with { Duration = TimeSpan.FromHours(1) };
        var run = new Run(plan, new SocketsBenchmark().Info, new PingPong(), Placement.InThisProcess(plan, new SocketsBenchmark(), new PingPong()))
        {
            Progress = progress => AbortOnceMeasuring(progress, abort),
        };
        RunResult result = await run.RunAsync(abort.Token)
            .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.True(result.Clients.Aborted);
        Assert.False(result.Valid);
        Assert.InRange(result.DurationSeconds, 0.01, LibraryUnderTest.Deadline.TotalSeconds);
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Contains(result.InvalidReasons, reason => reason.StartsWith("The run was aborted after", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_clock_of_an_iteration_is_waited_for_and_not_polled()
    {
        int looks = 0;
        const int Parts = 400;
        RunPlan plan = s_plan with { Duration = TimeSpan.FromMilliseconds(Parts), Iterations = Parts };
        var run = new Run(plan, new SocketsBenchmark().Info, new PingPong(), Placement.InThisProcess(plan, new SocketsBenchmark(), new PingPong()))
        {
            Progress = progress => looks += progress.Phase == RunPhase.Measure ? 1 : 0,
        };
        RunResult result = await run.RunAsync(TestContext.Current.CancellationToken)
            .WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Equal(Parts, result.Clients.Iterations.Count);

        // Each look follows a wait of at least a millisecond, after which a part is over or nearly over.
        Assert.InRange(looks, 1, 3 * Parts);
    }

    [Fact]
    public async Task Figures_of_several_load_generators_add_up()
    {
        RunPlan plan = s_plan with { Library = "Sockets", Clients = 30 };
        var meter = new ProcessMeter();
        INetworkBenchmark library = LibraryUnderTest.Create("Sockets");
        int[] parts = [10, 20];
        var participants = new ParticipantGroup
        {
            Server = new LocalServer(plan, library, new PingPong(), meter),
            LoadGenerators = [.. parts.Select(clients => new LocalLoadGenerator(plan with { Clients = clients }, library, new PingPong(), meter))],
            IsOneProcess = true,
        };
        RunResult result = await new Run(plan, library.Info, new PingPong(), participants).RunAsync(TestContext.Current.CancellationToken);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal(parts, result.LoadGenerators!.Select(driver => driver.Clients));
        Assert.All(result.LoadGenerators!, driver => Assert.InRange(driver.Messages, 1, long.MaxValue));
        Assert.Equal(result.LoadGenerators!.Sum(driver => driver.Messages), result.Messages.ClientReceived);
        Assert.Equal(result.Messages.ClientReceived, HistogramCodec.Decode(result.Clients.Latency.Histogram!).Count);
        Assert.Equal(result.Totals.Sent, result.Totals.Received);
        Assert.Equal(result.Clients.Iterations.Sum(part => part.Messages), result.Messages.ClientReceived);
    }

    [Fact]
    public async Task Run_ends_when_one_of_several_load_generators_breaks()
    {
        RunPlan plan = s_plan with { Library = "Sockets", Duration = TimeSpan.FromHours(1) };
        var meter = new ProcessMeter();
        INetworkBenchmark library = LibraryUnderTest.Create("Sockets");
        var participants = new ParticipantGroup
        {
            Server = new LocalServer(plan with { Clients = 2 * plan.Clients }, library, new PingPong(), meter),
            LoadGenerators =
            [
                new LocalLoadGenerator(plan, library, new PingPong(), meter), new LocalLoadGenerator(plan, library, new ThrowingClients(), meter),
            ],
        };
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => new Run(plan, library.Info, new PingPong(), participants)
            .RunAsync(TestContext.Current.CancellationToken).WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        Assert.Equal("The run failed: the clients are broken", exception.Message);
    }

    [Fact]
    public async Task A_participant_that_cannot_be_ended_makes_the_result_invalid_and_its_figures_are_kept()
    {
        ParticipantGroup group = Placement.InThisProcess(s_plan, new SocketsBenchmark(), new PingPong());
        var stubborn = new RecordingLoadGenerator("stubborn", []) { Of = group.LoadGenerators[0], FailsToEnd = true };
        var participants = new ParticipantGroup { Server = group.Server, LoadGenerators = [stubborn], IsOneProcess = true };
        RunResult result = await new Run(s_plan, new SocketsBenchmark().Info, new PingPong(), participants).RunAsync(TestContext.Current.CancellationToken);
        Assert.Equal(["A participant could not be ended: It is stuck."], result.InvalidReasons);
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
    }

    [Fact]
    public async Task Messages_that_are_never_answered_are_lost_and_the_result_is_invalid()
    {
        RunPlan plan = s_plan with { LossDeadline = TimeSpan.FromMilliseconds(100) };
        RunResult result = await RunAsync(new SocketsBenchmark(), plan, new Swallowing(plan.Clients));
        Assert.False(result.Valid);
        Assert.InRange(result.Lost, 1, long.MaxValue);
        Assert.Equal(result.Totals.Sent, result.Totals.Received + result.Totals.Lost);
        Assert.Contains(result.InvalidReasons, reason => reason.Contains("lost in a closed loop", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_dropped_peer_makes_the_result_invalid_and_is_named()
    {
        RunPlan plan = PlanOf("ENet", Protocol.Udp) with { LossDeadline = TimeSpan.FromMilliseconds(100) };
        RunResult result = await RunAsync(LibraryUnderTest.Create("ENet"), plan, new Dropping());
        Assert.False(result.Valid);
        Assert.Equal(["client lost its server", "server lost a peer"], result.ErrorsByName.Keys);
        Assert.Equal(result.ErrorsByName.Values.Sum(), result.Errors);
    }

    [Fact]
    public async Task An_exception_of_a_workload_breaks_the_run_off_with_its_message()
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => RunAsync(new SocketsBenchmark(), s_plan, new Throwing()));
        Assert.Equal("The run failed: the workload is broken", exception.Message);
    }

    internal static RunPlan PlanOf(string library, Protocol protocol) => s_plan with
    {
        Library = library,
        Protocol = protocol,
        Transmission = protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable,
        ClientLibrary = LibraryUnderTest.ClientsFor(LibraryUnderTest.Create(library), protocol).Info.Name is { } clients && clients != library ? clients : null,
    };

    private static async Task LosesNothingAsync(RunPlan plan)
    {
        RunResult result = await RunAsync(LibraryUnderTest.Create(plan.Library), plan);
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal(result.Totals.Sent, result.Totals.Received);
        Assert.Equal((plan.ServerThreads, plan.ClientThreads), (result.Server?.Threads, result.Clients.Threads));
    }

    internal static Task<RunResult> RunAsync(INetworkBenchmark library, RunPlan plan, IWorkload? workload = null)
    {
        workload ??= new PingPong();
        INetworkBenchmark? clients = OtherClientsFor(plan, library);
        ParticipantGroup participants = Placement.InThisProcess(plan, library, workload, clients);
        return new Run(plan, library.Info.DrivenBy(clients?.Info, plan.Protocol), workload, participants).RunAsync(TestContext.Current.CancellationToken);
    }

    internal static INetworkBenchmark? OtherClientsFor(RunPlan plan, INetworkBenchmark library) =>
        LibraryUnderTest.ClientsFor(library, plan.Protocol) is { } clients && clients != library ? clients : null;

    private static void AbortOnceMeasuring(RunProgress progress, CancellationTokenSource abort)
    {
        if (progress.Phase == RunPhase.Measure)
        {
            abort.Cancel();
        }
    }

    /// <summary>PingPong with a server that does something else.</summary>
    private abstract class ChangedServer : IMessageWorkload, IServerHandler
    {
        public string Name => "Changed";

        public virtual IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) => this;

        public virtual IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) => new PingPong().CreateClientHandler(plan, recorder);

        public void OnConnected(IPeer peer, WorkerStatistics worker) { }

        public virtual void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => peer.Send(message);

        public virtual void OnClosed(IPeer peer, WorkerStatistics worker) { }
    }

    private sealed class Swallowing(int answers) : ChangedServer
    {
        private int _answers = answers;

        public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            if (_answers-- > 0)
            {
                peer.Send(message);
            }
        }
    }

    private sealed class Dropping : ChangedServer
    {
        private RunRecorder? _recorder;
        private int _messages;

        public override IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder)
        {
            _recorder = recorder;
            return base.CreateClientHandler(plan, recorder);
        }

        public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            peer.Send(message);
            if (_messages++ == 10)
            {
                peer.Close();
            }
        }

        public override void OnClosed(IPeer peer, WorkerStatistics worker) => new PingPong().CreateServerHandler(s_plan, _recorder!).OnClosed(peer, worker);
    }

    private sealed class Remarking : ChangedServer
    {
        public override IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder)
        {
            recorder.Remark("Both say this.");
            recorder.Remark("The server says this.");
            return base.CreateServerHandler(plan, recorder);
        }

        public override IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder)
        {
            recorder.Remark("The clients say this.");
            recorder.Remark("Both say this.");
            return base.CreateClientHandler(plan, recorder);
        }
    }

    private sealed class ThrowingClients : ChangedServer
    {
        public override IClientHandler CreateClientHandler(RunPlan plan, RunRecorder recorder) =>
            new ClientActions { Started = _ => throw new InvalidOperationException("the clients are broken") };
    }

    private sealed class Throwing : ChangedServer
    {
        public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
            throw new InvalidOperationException("the workload is broken");
    }
}
