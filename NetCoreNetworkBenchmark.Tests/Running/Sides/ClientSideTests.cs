namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class ClientSideTests
{
    private const int Answers = 1_000;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(10),
        Duration = TimeSpan.FromMilliseconds(50),
        Port = 0,
        AnyMachine = true,
    };

    // Otherwise the server's interval would end without a load, by as much as it takes to notify the server.
    [Fact]
    public async Task LoadAsync_keeps_the_load_up_until_the_server_has_ended_its_count()
    {
        var meter = new ProcessMeter();
        await using var server = new ServerSide(s_plan, new SocketsBenchmark(), new PingPong(), new IPEndPoint(IPAddress.Loopback, 0), meter);
        var coordinator = new Watching(server);
        await using ClientSide clients = await ConnectAsync(server, meter, coordinator);
        ClientReport report = await clients.LoadAsync(TestContext.Current.CancellationToken);
        Assert.True(coordinator.IsFull);

        // What was counted in the measurement has arrived before, and the answers of this time belong to no measurement.
        Assert.InRange(report.Measured.ClientReceived, 0, coordinator.Ended);
        Assert.InRange(report.Whole.ClientReceived - report.Measured.ClientReceived, 2 * Answers, long.MaxValue);
    }

    // The load goes on between them, because its processes are not suspended here.
    [Fact]
    public async Task What_comes_between_a_burst_of_the_warm_up_and_the_first_slice_is_no_part_of_the_figures()
    {
        var meter = new ProcessMeter();
        await using var server = new ServerSide(s_plan, new SocketsBenchmark(), new PingPong(), new IPEndPoint(IPAddress.Loopback, 0), meter);
        await using ClientSide clients = await ConnectAsync(server, meter, new NoCoordinator());
        var burst = new MeasureCommand(SettleSeconds: 0, Seconds: 0.01, StaysInFlight: true, DiscardsEarlier: false);
        await clients.SliceAsync(burst, TestContext.Current.CancellationToken);
        await ServesAsync(server);
        long servedBefore = server.Read().Counters.ServerReceived;
        await clients.SliceAsync(burst with { DiscardsEarlier = true }, TestContext.Current.CancellationToken);
        await clients.SliceAsync(new EndCommand(), TestContext.Current.CancellationToken);
        ClientReport report = clients.Report(aborted: false);
        Assert.InRange(report.Whole.ClientReceived - report.AfterStart.ClientReceived, servedBefore - s_plan.Clients, long.MaxValue);
    }

    private static Task<ClientSide> ConnectAsync(ServerSide server, ProcessMeter meter, ICoordinator coordinator) => ClientSide.ConnectAsync(
        s_plan,
        new SocketsBenchmark(),
        new PingPong(),
        meter,
        coordinator,
        new ServerAddress(server.EndPoint, ForClients: null),
        endsWithServer: false,
        TestContext.Current.CancellationToken);

    private static async Task<bool> ServesAsync(ServerSide server)
    {
        using var deadline = new CancellationTokenSource(s_deadline);
        for (long min = server.Messages + (2 * Answers); server.Messages < min;)
        {
            await Task.Delay(1, deadline.Token);
        }

        return true;
    }

    private sealed class Watching(ServerSide server) : NoCoordinator
    {
        public bool IsFull { get; private set; }

        public long Ended { get; private set; }

        public override async Task StepAsync(CancellationToken cancellationToken)
        {
            IsFull = await ServesAsync(server);
            Ended = server.Read().Counters.ServerReceived;
            await ServesAsync(server);
        }
    }
}

public sealed class ServerSideTests
{
    private readonly CountingLibrary _library = new();

    [Theory, InlineData(false), InlineData(true)]
    public async Task Ends_of_connections_are_errors_unless_clients_come_and_go(bool expectsDisconnects)
    {
        const string Reset = "server ConnectionReset";
        await using ServerSide server = Start(expectsDisconnects);
        _library.Recorder!.CountDisconnect(Reset);
        _library.Recorder.CountDisconnect(RunRecorder.PeerLost);
        _library.Recorder.CountError("server received part of a message");
        ServerReport report = server.Report(server.Read());
        Assert.Equal(expectsDisconnects ? 1 : 3, report.Errors.Values.Sum());
        Assert.Equal(expectsDisconnects ? [KeyValuePair.Create(Reset, 1L)] : [], report.Disconnects);
    }

    private ServerSide Start(bool expectsDisconnects) => new(
        new RunPlan { Library = "Counting", Protocol = Protocol.Tcp },
        _library,
        new PingPong(),
        new IPEndPoint(IPAddress.Loopback, 0),
        new ProcessMeter(),
        expectsDisconnects: expectsDisconnects);

    /// <summary>A library without a network that lets the test count any error.</summary>
    private sealed class CountingLibrary : INetworkBenchmark
    {
        public RunRecorder? Recorder { get; private set; }
        public LibraryInfo Info { get; } = new() { Name = "Counting", Version = "1.0", Protocols = [Protocol.Tcp], Transmissions = [] };

        public IBenchmarkServer StartServer(ServerSetup setup)
        {
            Recorder = setup.Recorder;
            return new NoServer();
        }

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => throw new NotSupportedException();
    }

    private sealed class NoServer : IBenchmarkServer
    {
        public IPEndPoint EndPoint { get; } = new(IPAddress.Loopback, 1);

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}

/// <summary>A library whose server and clients do not stop: an asynchronous call that never ends, or one that blocks.</summary>
public sealed class StopTests
{
    private static readonly RunPlan s_plan = new() { Library = "Hanging", StopDeadline = TimeSpan.FromMilliseconds(50) };

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_does_not_stop_is_named_at_the_deadline(bool blocks)
    {
        var library = new HangingLibrary(blocks);
        var server = new ServerSide(s_plan, library, new PingPong(), new IPEndPoint(IPAddress.Loopback, 0), new ProcessMeter());
        await AssertNamedAsync("Hanging did not stop its server within 0 s.", server);
        library.Released.SetResult();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Clients_that_do_not_stop_are_named_at_the_deadline(bool blocks)
    {
        var library = new HangingLibrary(blocks);
        ClientSide clients = await ClientSide.ConnectAsync(
            s_plan,
            library,
            new PingPong(),
            new ProcessMeter(),
            new NoCoordinator(),
            new ServerAddress(new IPEndPoint(IPAddress.Loopback, 1), ForClients: null),
            endsWithServer: false,
            TestContext.Current.CancellationToken);
        await AssertNamedAsync("Hanging did not stop its clients within 0 s.", clients);
        library.Released.SetResult();
    }

    private static async Task AssertNamedAsync(string sentence, IAsyncDisposable side)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => side.DisposeAsync().AsTask().WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        Assert.Equal(sentence, exception.Message);
    }

    private sealed class HangingLibrary(bool blocks) : INetworkBenchmark
    {
        public TaskCompletionSource Released { get; } = new();
        public LibraryInfo Info { get; } = new() { Name = "Hanging", Version = "1.0", Protocols = [Protocol.Udp], Transmissions = [] };

        public IBenchmarkServer StartServer(ServerSetup setup) => new HangingEnd(this);

        public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
            Task.FromResult<IClientGroup>(new HangingEnd(this));

        private async ValueTask HangAsync()
        {
            if (blocks)
            {
                ((IAsyncResult)Released.Task).AsyncWaitHandle.WaitOne();
            }

            await Released.Task;
        }

        private sealed class HangingEnd(HangingLibrary library) : IBenchmarkServer, IClientGroup
        {
            public IPEndPoint EndPoint { get; } = new(IPAddress.Loopback, 1);

            public void Start() { }

            public void Pause() { }

            public ValueTask DisposeAsync() => library.HangAsync();
        }
    }
}

public sealed class ClientFairnessTests
{
    [Fact]
    public void Of_gives_the_fewest_the_median_and_the_most()
    {
        ClientFairness shares = LoadGeneratorReports.FairnessOf([30, 10, 20]);
        Assert.Equal((10, 20.0, 30, 0), (shares.Fewest, shares.Median, shares.Most, shares.SlowClients));
        Assert.Equal(25, LoadGeneratorReports.FairnessOf([40, 10, 20, 30]).Median);
    }

    [Fact]
    public void A_client_with_less_than_half_the_median_is_named_by_its_number()
    {
        ClientFairness shares = LoadGeneratorReports.FairnessOf([100, 49, 100, 50, 0, 100, 100]);
        Assert.Equal(2, shares.SlowClients);
        Assert.Equal([new SlowClient(5, 0), new SlowClient(2, 49)], shares.Slowest);
    }

    [Fact]
    public void At_most_ten_are_named_and_all_are_counted()
    {
        long[] received = [.. Enumerable.Repeat(0L, 12), .. Enumerable.Repeat(100L, 20)];
        ClientFairness shares = LoadGeneratorReports.FairnessOf(received);
        Assert.Equal((12, 10), (shares.SlowClients, shares.Slowest.Count));
        Assert.Equal(Enumerable.Range(1, 10), shares.Slowest.Select(client => client.Client));
    }
}

public sealed class DueCountingTests
{
    [Fact]
    public void Complete_counts_each_iteration_by_due_time_after_the_drain()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        var counting = new DueCounting(recorder);
        recorder.Enter(RunPhase.WarmUp);
        long first = recorder.Enter(RunPhase.Measure);
        long second = recorder.Enter(RunPhase.Measure);
        counting.Begin(first);
        counting.Begin(second);
        recorder.Enter(RunPhase.Drain);
        Array.ForEach([first, second, second], due => worker.IntervalOf(due).RecordAnswer(due, 1));

        // The iteration of an earlier slice is not counted again.
        var iterations = new List<IterationResult> { new(1, 42), new(1, 0), new(1, 0) };
        counting.Complete(iterations);
        Assert.Equal([42L, 1, 2], iterations.Select(iteration => iteration.Messages));
        counting.Complete(iterations);
        Assert.Equal([42L, 1, 2], iterations.Select(iteration => iteration.Messages));
    }

    [Fact]
    public void Count_has_messages_that_still_wait_as_sent_late_and_lost()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        worker.Current.Counters.ClientSent = 10;
        worker.Waiting = 3;
        MessageCounters counters = new DueCounting(recorder).Count(RunPhase.Measure);
        Assert.Equal((13, 3, 3), (counters.ClientSent, counters.SentLate, counters.Lost));
    }
}

public sealed class SteadyRateTests
{
    [Fact]
    public void IsSteady_needs_a_whole_second()
    {
        var rule = new SteadyRate();
        for (int bin = 0; bin < 9; bin++)
        {
            rule.Add(1000, SteadyRate.Bin);
            Assert.False(rule.IsSteady);
        }

        rule.Add(1000, SteadyRate.Bin);
        Assert.True(rule.IsSteady);
    }

    [Theory, InlineData(1000, 1053, false), InlineData(1000, 1051, true), InlineData(1000, 953, true), InlineData(1000, 949, false)]
    public void IsSteady_allows_five_per_cent_between_the_halves(double earlier, double later, bool steady) =>
        Assert.Equal(steady, RuleAfter([.. Enumerable.Repeat(earlier, 5), .. Enumerable.Repeat(later, 5)]).IsSteady);

    [Fact]
    public void IsSteady_looks_at_means_so_that_single_bins_may_differ() =>
        Assert.True(RuleAfter([500, 1500, 1000, 800, 1200, 1500, 500, 1200, 800, 1000]).IsSteady);

    [Fact]
    public void IsSteady_looks_at_the_last_second_only()
    {
        SteadyRate rule = RuleAfter([.. Enumerable.Range(1, 10).Select(bin => bin * 100.0)]);
        Assert.False(rule.IsSteady);
        for (int bin = 0; bin < 10; bin++)
        {
            rule.Add(1000, SteadyRate.Bin);
        }

        Assert.True(rule.IsSteady);
    }

    [Fact]
    public void IsSteady_is_false_while_nothing_comes_back() => Assert.False(RuleAfter([.. Enumerable.Repeat(0.0, 20)]).IsSteady);

    [Fact]
    public void Add_leaves_out_a_bin_that_is_too_short()
    {
        SteadyRate rule = RuleAfter([.. Enumerable.Repeat(1000.0, 9)]);
        rule.Add(1000, TimeSpan.FromMicroseconds(20));
        rule.Add(1000, SteadyRate.Bin / 2.1);
        Assert.False(rule.IsSteady);
        rule.Add(1000, SteadyRate.Bin / 2);
        Assert.True(rule.IsSteady);
    }

    private static SteadyRate RuleAfter(double[] rates)
    {
        var rule = new SteadyRate();
        Array.ForEach(rates, rate => rule.Add(rate, SteadyRate.Bin));
        return rule;
    }
}

/// <summary>The coordinator of clients that run by themselves.</summary>
internal class NoCoordinator : ICoordinator
{
    public bool HasOtherLoadGenerators => false;

    public virtual bool HasLiveFigures => false;

    public virtual void Report(RunProgress progress) { }

    public virtual void Enter(RunPhase phase) { }

    public virtual Task StepAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
