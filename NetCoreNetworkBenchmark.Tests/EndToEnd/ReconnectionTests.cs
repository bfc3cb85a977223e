namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class ReconnectionTests
{
    private const string Load = "-t RoundTrip --framing Checked -s 100";

    public static IEnumerable<TheoryDataRow<string>> Clients() =>
        from row in LibraryUnderTest.OneInPlain(LibraryUnderTest.ClientsOverTcp(), "Epoll")
        where row.Data.Item2 == Protocol.Tcp
        select new TheoryDataRow<string>(row.Data.Item1) { Traits = row.Traits };

    [Theory, MemberData(nameof(Clients)), Trait("Category", "Long")]
    public Task Clients_of_every_library_come_back_to_a_server_that_was_killed_and_started_again(string library) =>
        AssertComeBackAsync(library, clients: 5, messages: 3, away: TimeSpan.FromSeconds(0.5));

    [Fact, Trait("Category", "Long")]
    public Task A_thousand_clients_come_back_to_a_server_that_was_killed() =>
        AssertComeBackAsync("Epoll", clients: 1000, messages: 1, away: TimeSpan.FromSeconds(2));

    [Theory]
    [InlineData("Epoll", Protocol.Tcp), InlineData("Epoll", Protocol.Ssl), InlineData("Sockets", Protocol.Tcp), InlineData("Sockets", Protocol.Ssl)]
    [Trait("Category", "Long")]
    public async Task Clients_come_back_after_each_cut_of_the_relay(string library, Protocol protocol)
    {
        const int Clients = 3;
        RunResult run = await BenchmarkProcess.ResultAsync(
            $"-l {library} -P {protocol} {StreamRun.KeyOf(protocol)} {Load} -c {Clients} -p 0 --warmup 0.1 -d 1.6 --cut 300ms/1s --reconnect 100ms " +
            "--any-machine --json");
        long cuts = run.Relay!.Counts.Cuts;
        Assert.InRange(cuts, 1, 3);
        ReconnectionReport connections = run.Reconnections!;
        Assert.InRange(connections.Lost, Clients, Clients * cuts);
        Assert.InRange(connections.Gaps.Microseconds!.Min!.Value, 1, 2_500_000);
        Assert.Equal((0, 0), (run.Errors, run.Duplicated));
        Assert.Equal(run.Totals.Sent, run.Totals.Received + run.Totals.Lost);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Without_the_option_a_lost_server_is_an_error()
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l Epoll -P Tcp {Load}");
        using BenchmarkProcess clients = BenchmarkProcess.Start(
            $"--role Client -l Epoll -P Tcp {Load} -c 2 -p {server.Port} --warmup 0.1 -d 60 --any-machine --verbose".Split(' '));
        await clients.MeasuringAsync();
        server.Kill();
        (int code, _, string errors) = await clients.EndAsync();
        Assert.Equal(1, code);
        Assert.Equal($"The run failed: all clients lost the server at 127.0.0.1:{server.Port}.", BenchmarkProcess.ReasonIn(errors));
    }

    [Theory, InlineData("Epoll", Protocol.Tcp), InlineData("Sockets", Protocol.Ssl), Trait("Category", "Long")]
    public async Task Heartbeats_are_counted_apart_from_messages(string library, Protocol protocol)
    {
        RunResult run = await BenchmarkProcess.AnyResultAsync(
            $"-l {library} -P {protocol} {StreamRun.KeyOf(protocol)} {Load} -c 2 --rate 1 -p 0 --heartbeat 200ms --heartbeat-misses 100 --warmup 0.1 -d 1.5 " +
            "--any-machine --json");
        Assert.Equal((0, 0), (run.Errors, run.Lost));
        Assert.InRange(run.Messages.ClientReceived, 1, 4);

        // A message that is under way when the measurement begins or ends is in the interval of one side alone.
        Assert.InRange(run.Messages.ServerReceived!.Value, run.Messages.ClientReceived - 1, run.Messages.ClientReceived + 1);
        long[] heartbeats =
        [
            run.Clients.Measured.HeartbeatsSent, run.Clients.Measured.HeartbeatsReceived, run.Server!.HeartbeatsSent, run.Server.HeartbeatsReceived,
        ];
        Assert.All(heartbeats, count => Assert.InRange(count, 1, 2 * 2 * 5));
    }

    private static async Task AssertComeBackAsync(string library, int clients, int messages, TimeSpan away)
    {
        // On a busy machine the second server may take longer to start than a short load lasts.
        RunResult? run = null;
        string said = string.Empty;
        for (int back = 2; back <= 16 && run?.Reconnections!.Returned != clients; back *= 2)
        {
            (run, said) = await RunWithNewServerAsync(library, clients, messages, away, away + TimeSpan.FromSeconds(back));
        }

        Assert.True(run is not null, said);
        ReconnectionReport connections = run.Reconnections!;
        Assert.Equal((clients, clients), (connections.Lost, connections.Returned));
        Assert.Equal(clients, connections.Reasons.Where(reason => reason.Key.StartsWith("client ", StringComparison.Ordinal)).Sum(reason => reason.Value));
        Assert.InRange(connections.Attempts, clients, long.MaxValue);
        Assert.InRange(connections.Gaps.Microseconds!.Min!.Value, away.TotalMicroseconds, double.MaxValue);
        Assert.Equal((0, 0), (run.Errors, run.Duplicated));

        // Messages in flight at the loss are lost, and not sent again.
        Assert.InRange(run.Lost, 1, clients * messages);
        Assert.Equal(run.Totals.Sent, run.Totals.Received + run.Totals.Lost);
    }

    // The server is killed when the load is measured, and another one is started when the first has been away for a while.
    private static async Task<(RunResult? Run, string Said)> RunWithNewServerAsync(
        string library, int clients, int messages, TimeSpan away, TimeSpan duration)
    {
        const double Interval = 0.4;
        string common = $"-l {library} -P Tcp {Load}";
        using BenchmarkProcess first = await BenchmarkProcess.StartServerAsync($"{common} -c {clients}");
        using BenchmarkProcess load = BenchmarkProcess.Start(
            (FormattableString.Invariant($"--role Client {common} -c {clients} -m {messages} -p {first.Port} --warmup 0.1 -d {duration.TotalSeconds} ")
                + $"--reconnect {Interval * 1000}ms --any-machine --verbose --json").Split(' '));
        await load.MeasuringAsync();
        await BenchmarkProcess.SignalAsync("KILL", first.Id);
        await first.EndAsync();
        await Task.Delay(away, TestContext.Current.CancellationToken);
        using BenchmarkProcess second = BenchmarkProcess.Start($"--role Server -p {first.Port} {common} -c {clients}".Split(' '));
        (int code, string output, string errors) = await load.EndAsync();
        return (code == 0 ? JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult) : null, errors + output);
    }
}

public sealed class SuspensionTests
{
    // proc_pid_status(5)
    private const string Stopped = "T";
    private const string Zombie = "Z";

    [Fact, Trait("Category", "Long")]
    public async Task Suspended_processes_end_with_a_coordinator_that_is_killed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Processes are suspended on Linux only.");
        using BenchmarkProcess coordinator = BenchmarkProcess.Start(
            "regress", AppContext.BaseDirectory, "-l", "Sockets", "-c", "10", "--rounds", "1000", "--launches", "1", "--warmup", "0.1");
        int[] agents = [];
        await Wait.UntilAsync(
            () => (agents = coordinator.Children()).Length == 4 && agents.Any(child => StateOf(child) == Stopped), "four agents, one of them suspended");
        using (var alone = Process.GetProcessById(coordinator.Id))
        {
            alone.Kill();
        }

        await Wait.UntilAsync(() => agents.All(child => StateOf(child) is null or Zombie), "the ends of all agents");
    }

    private static string? StateOf(int process) => SystemFiles.StatusOf($"{process}", "State");
}

/// <summary>The course of a real measurement, compared with the figures of the whole.</summary>
public sealed class TimelineTests
{
    private const string InOneProcess = "-l Sockets -p 0 -c 2 --warmup 0.2 --any-machine --json";

    [Fact, Trait("Category", "Long")]
    public async Task Both_sides_have_parts_with_all_figures()
    {
        RunResult result = await RelayedRun.RunAsync("-c 20 --rate 4000 --warmup 0.1 -d 0.5 --delay 1ms");
        AssertWhole(result.Clients.Timeline!);
        AssertWhole(result.Server!.Timeline!);
    }

    [Fact, Trait("Category", "Timing")]
    public async Task The_parts_of_both_sides_add_up_to_the_whole_and_show_the_stalls()
    {
        RunResult result = await RelayedRun.RunAsync("-c 20 --rate 4000 --warmup 0.5 -d 3 --stall 400ms/1s");
        SideTimeline clients = result.Clients.Timeline!;
        SideTimeline server = result.Server!.Timeline!;

        // What a thread counts while the measurement ends is in one of the two counts only.
        Assert.Equal(result.Messages.ClientReceived, clients.Messages!.Sum(), tolerance: 200.0);
        Assert.Equal(result.Messages.ServerReceived!.Value, server.Messages!.Sum(), tolerance: 200.0);
        Assert.Equal(result.DurationSeconds, clients.Seconds[^1], tolerance: 0.2);
        Assert.Equal(result.Costs.Clients!.CpuSeconds, clients.CpuSeconds.Sum(), tolerance: 0.1);
        Assert.Equal(result.Costs.Server!.CpuSeconds, server.CpuSeconds.Sum(), tolerance: 0.1);
        AssertWhole(clients);
        AssertWhole(server);

        // Three stalls of 0.4 s have at least two whole parts of 0.1 s each, in which the server receives nothing. Messages were due in them, and waited.
        Assert.InRange(server.Messages!.Count(messages => messages == 0), 3, 15);
        Assert.InRange(clients.P99Microseconds!.Count(latency => latency > 200_000), 3, 15);
        Assert.All(clients.Messages!.SkipLast(1), messages => Assert.InRange(messages, 300, 500));
    }

    [Fact]
    public async Task In_one_process_the_timeline_is_that_of_the_process()
    {
        RunResult result = await BenchmarkProcess.ResultAsync($"{InOneProcess} -d 0.3");
        Assert.Null(result.Server!.Timeline);
        AssertWhole(result.Clients.Timeline!);
    }

    [Fact, Trait("Category", "Timing")]
    public async Task In_one_process_the_timeline_is_as_long_as_the_measurement()
    {
        RunResult result = await BenchmarkProcess.ResultAsync($"{InOneProcess} -d 1");
        Assert.Equal(result.DurationSeconds, result.Clients.Timeline!.Seconds[^1], tolerance: 0.2);
    }

    private static void AssertWhole(SideTimeline side)
    {
        int parts = Assert.Single(new[]
        {
            side.Seconds.Count, side.Messages!.Count, side.CpuSeconds.Count, side.PauseMilliseconds.Count, side.PoolQueue.Count, side.PoolThreads.Count,
        }.Distinct());
        Assert.InRange(parts, 1, int.MaxValue);
    }
}
