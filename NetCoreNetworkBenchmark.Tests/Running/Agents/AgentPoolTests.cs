namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

[Trait("Category", "Long")]
public sealed class AgentPoolTests
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Test = "PingPong",
        Port = 0,
        Clients = 5,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = TimeSpan.FromMilliseconds(200),
        AnyMachine = true,
    };

    private int _started;

    [Fact]
    public async Task A_second_run_has_the_processes_of_the_first_and_figures_of_its_own()
    {
        await using var pool = new AgentPool();
        RunResult first = await RunAsync(pool, s_plan);
        RunResult second = await RunAsync(pool, s_plan with { Clients = 3 });
        Assert.Equal(2, _started);
        Assert.All((RunResult[])[first, second], result => Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue));
        Assert.Equal(second.Totals.Sent, second.Totals.Received);
    }

    [Fact]
    public async Task Processes_that_the_next_benchmark_does_not_use_end()
    {
        await using var pool = new AgentPool();
        await RunAsync(pool, s_plan);
        await pool.KeepAsync([s_plan with { Library = "Another" }]);
        await RunAsync(pool, s_plan);
        Assert.Equal(4, _started);
    }

    [Fact]
    public async Task Processes_have_the_clients_of_one_library()
    {
        RunPlan plan = s_plan with { Protocol = Protocol.Tcp, Transmission = Transmission.Reliable };
        await using var pool = new AgentPool();
        await RunAsync(pool, plan);
        await pool.KeepAsync([plan with { ClientLibrary = "Epoll" }]);
        await RunAsync(pool, plan);
        Assert.Equal(3, _started);
    }

    [Fact]
    public async Task Processes_of_a_run_that_did_not_end_are_not_used_again()
    {
        await using var pool = new AgentPool();
        SlicedRun broken = await SlicedRun.OpenAsync(
            s_plan, new SocketsBenchmark().Info, new PingPong(), ParticipantsIn(pool, s_plan), TestContext.Current.CancellationToken);
        await broken.DisposeAsync();
        await RunAsync(pool, s_plan);
        Assert.Equal(4, _started);
    }

    [Fact]
    public async Task A_process_on_another_host_starts_there_and_not_in_the_pool()
    {
        await using var pool = new AgentPool();
        RunPlan plan = s_plan with { Hosts = new HostsPlan { ServerHost = "nowhere", Launcher = Launcher.Namespaces } };
        await using ParticipantGroup participants = Placement.InFreshProcesses(plan, pool: pool);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => participants.Server.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains("on nowhere", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_peak_of_the_memory_of_a_process_is_not_that_of_the_process_that_started_it()
    {
        const int OwnBytes = 512 * 1024 * 1024;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux counts the peak of another process to a new one.");
        byte[] own = GC.AllocateUninitializedArray<byte>(OwnBytes);
        own.AsSpan().Fill(1);
        await using var pool = new AgentPool();
        RunResult result = await RunAsync(pool, s_plan);
        GC.KeepAlive(own);
        Assert.InRange(result.Server!.Cost!.PeakResidentBytes!.Value, 1_000_000, OwnBytes);
    }

    private Task<RunResult> RunAsync(AgentPool pool, RunPlan plan) =>
        new Run(plan, new SocketsBenchmark().Info, new PingPong(), ParticipantsIn(pool, plan)).RunAsync(TestContext.Current.CancellationToken);

    private ParticipantGroup ParticipantsIn(AgentPool pool, RunPlan plan) => AgentsUnderTest.In(pool, plan, () => Interlocked.Increment(ref _started));
}

/// <summary>Agents of the program under test, because the process of the tests is none.</summary>
internal static class AgentsUnderTest
{
    public static AgentProcess Start(AgentRole role, bool stays = false) =>
        new(role, new ProcessStartInfo("dotnet", [typeof(Catalog).Assembly.Location, AgentProgram.Option])) { StaysAfterRun = stays };

    public static ParticipantGroup In(AgentPool pool, RunPlan plan, Action? starting = null)
    {
        AgentProcess Fresh(AgentRole role)
        {
            starting?.Invoke();
            return Start(role, stays: true);
        }

        return new ParticipantGroup
        {
            Server = new ServerAgent(plan, pool.Of(AgentRole.Server, plan, () => Fresh(AgentRole.Server))),
            LoadGenerators = [new LoadGeneratorAgent(plan, pool.Of(AgentRole.Client, plan, () => Fresh(AgentRole.Client)))],
        };
    }
}

/// <summary>The errors that a coordinator reports for a process that does not behave as expected.</summary>
public sealed class AgentProcessTests
{
    private static readonly RunPlan s_plan = new() { Library = "Sockets", Port = 0 };

    [Fact]
    public void A_program_that_cannot_be_started_is_one_sentence()
    {
        var exception = Assert.Throws<BenchmarkException>(() => new AgentProcess(AgentRole.Server, new ProcessStartInfo("/nowhere/at all")));
        Assert.StartsWith("The server's process could not be started ('/nowhere/at all'): ", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("exit 3", "The clients' process failed with exit code 3: it printed no error.")]
    [InlineData("echo 'first' >&2; echo 'It is broken.' >&2; exit 1", "The clients' process failed with exit code 1: It is broken.")]
    [InlineData("echo 'Hello, world'; exec cat >/dev/null", "The clients' process sent a line that is not a frame.")]
    public async Task SendHelloAsync_names_what_a_process_did_that_is_no_agent(string script, string sentence)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The programs are scripts of a POSIX shell.");
        await using var agent = new AgentProcess(AgentRole.Client, new ProcessStartInfo("sh", ["-c", script]));
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => agent.SendHelloAsync(s_plan, null, null, TestContext.Current.CancellationToken)
                .WaitAsync(ChannelPair.Deadline, TestContext.Current.CancellationToken));
        Assert.Equal(sentence, exception.Message);
    }

    [Fact]
    public async Task RequestAsync_gives_each_of_several_requests_its_own_answer()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The program is a script of a POSIX shell.");
        const string Script = """
            read hello; read cancelled; read go; read second; read third
            for seconds in 1 2 3; do echo '{"type":"compilation","seconds":'$seconds'}'; done
            echo '{"type":"go"}'
            exec cat >/dev/null
            """;
        CancellationToken token = TestContext.Current.CancellationToken;
        await using var agent = new AgentProcess(AgentRole.Control, new ProcessStartInfo("sh", ["-c", Script]));
        await agent.SendHelloAsync(s_plan, null, null, token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => agent.RequestAsync<CompilationFrame>(new CompilationFrame(), new(canceled: true)));
        Task<GoFrame> go = agent.RequestAsync<GoFrame>(new GoFrame(), token);
        CompilationFrame[] answers = await Task.WhenAll(
            agent.RequestAsync<CompilationFrame>(new CompilationFrame(), token), agent.RequestAsync<CompilationFrame>(new CompilationFrame(), token))
            .WaitAsync(ChannelPair.Deadline, token);
        Assert.Equal([2.0, 3.0], answers.Select(answer => answer.Seconds!.Value));
        await go.WaitAsync(ChannelPair.Deadline, token);
    }
}

/// <summary>Every library over datagrams, whose processes are suspended with a load in flight while other cases have their turns.</summary>
[Trait("Category", "Long")]
public sealed class SuspensionTests(SuspendedRuns runs) : IClassFixture<SuspendedRuns>
{
    public static IEnumerable<TheoryDataRow<string>> OverDatagrams() => SuspendedRuns.Libraries.Select(name => new TheoryDataRow<string>(name));

    [Theory, MemberData(nameof(OverDatagrams))]
    public async Task Connections_and_messages_outlive_a_long_suspension(string name)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        SlicedRun run = await runs.AfterSuspensionAsync(name);
        await run.SliceAsync(SuspendedRuns.Slice, SuspendedRuns.Slice, TestContext.Current.CancellationToken);
        await run.DrainAsync();
        RunResult result = await run.CollectAsync();
        Assert.True(run.StaysInFlight);
        Assert.Equal((0, 0, 0), (result.Errors, result.Lost, result.Duplicated));
        Assert.Equal(result.Totals.Sent, result.Totals.Received);
    }

    [Theory, InlineData(null, true), InlineData(5.0, false)]
    public async Task A_load_with_heartbeats_is_drained_before_each_pause(double? heartbeat, bool staysInFlight)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        var plan = new RunPlan
        {
            Library = "Sockets",
            Protocol = Protocol.Tcp,
            Liveness = new LivenessPlan { Heartbeat = heartbeat is { } seconds ? TimeSpan.FromSeconds(seconds) : null },
            Clients = 1,
            Port = 0,
        };
        await using var pool = new AgentPool();
        LibraryInfo library = LibraryUnderTest.Create(plan.Library).Info;
        await using SlicedRun run = await SlicedRun.OpenAsync(
            plan, library, new PingPong(), AgentsUnderTest.In(pool, plan), TestContext.Current.CancellationToken);
        Assert.Equal(staysInFlight, run.StaysInFlight);
    }
}

/// <summary>A run of each library over datagrams, suspended after its first slice. All of them wait at the same time.</summary>
public sealed class SuspendedRuns : IAsyncLifetime
{
    // Longer than the libraries' own time-outs for a silent peer, and than the loss deadline.
    private static readonly TimeSpan s_suspension = TimeSpan.FromSeconds(11);

    private readonly AgentPool _pool = new();
    private readonly Dictionary<string, Task<SlicedRun>> _runs = [];
    private Task _suspension = Task.CompletedTask;

    internal static TimeSpan Slice { get; } = TimeSpan.FromMilliseconds(50);

    internal static IEnumerable<string> Libraries =>
        LibraryUnderTest.Transports().Where(row => row.Data.Item2 == Protocol.Udp).Select(row => row.Data.Item1);

    public async ValueTask InitializeAsync()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        foreach (string name in Libraries)
        {
            // The test of the library has its failure.
            await Task.WhenAny(_runs[name] = SuspendAsync(name));
        }

        _suspension = Task.Delay(s_suspension, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (Task<SlicedRun> run in _runs.Values.Where(run => run.IsCompletedSuccessfully))
        {
            await (await run).DisposeAsync();
        }

        await _pool.DisposeAsync();
    }

    internal async Task<SlicedRun> AfterSuspensionAsync(string name)
    {
        await _suspension;
        return await _runs[name];
    }

    private async Task<SlicedRun> SuspendAsync(string name)
    {
        CancellationToken cancellationToken = TestContext.Current.CancellationToken;
        var plan = new RunPlan
        {
            Library = name,
            Protocol = Protocol.Udp,
            Clients = 20,
            ParallelMessages = 100,
            LossDeadline = TimeSpan.FromSeconds(1),
            Duration = 2 * Slice,
            Port = 0,
            AnyMachine = true,
        };
        SlicedRun run = await SlicedRun.OpenAsync(
            plan, LibraryUnderTest.Create(name).Info, new PingPong(), AgentsUnderTest.In(_pool, plan), cancellationToken);
        try
        {
            await run.WarmUpAsync(cancellationToken);
            await run.SliceAsync(Slice, Slice, cancellationToken);
            return run;
        }
        catch
        {
            await run.DisposeAsync();
            throw;
        }
    }
}
