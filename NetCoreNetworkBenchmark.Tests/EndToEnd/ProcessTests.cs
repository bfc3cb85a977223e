namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Runs whose processes do not behave as expected.</summary>
[Trait("Category", "Long")]
public sealed class ProcessTests(StoppedRuns stopped) : InTemporaryFolder, IClassFixture<StoppedRuns>
{
    internal const string InThreeProcesses = "-l Sockets -p 0 -c 10 -m 2 -d 600 --warmup 0.1 --delay 0.1ms --verbose";

    [Theory]
    [InlineData(0, "The server's process failed with exit code 137")]
    [InlineData(1, "The relay's process failed with exit code 137")]
    [InlineData(2, "The clients' process failed with exit code 137")]
    [Trait("Category", "Leak")]
    public async Task A_process_that_is_gone_ends_the_run_with_its_name_and_leaves_none_behind(int which, string reason)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The processes are found in Linux's /proc.");
        using BenchmarkProcess process = BenchmarkProcess.Start(InThreeProcesses.Split(' '));
        int[] children = await process.MeasuringChildrenAsync(3);
        await BenchmarkProcess.SignalAsync("KILL", children[which]);
        AssertEnded(reason, await process.EndAsync());
        Assert.All(children, child => Assert.False(Directory.Exists($"/proc/{child}"), $"process {child} still runs"));
    }

    [Fact, Trait("Category", "Leak")]
    public async Task A_process_that_stands_still_ends_the_run_with_its_name_and_leaves_none_behind()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The processes are found in Linux's /proc.");
        StoppedRun run = await stopped.WithStoppedServer;
        AssertEnded("The server's process has sent nothing for 15 s.", run.End);
        Assert.Empty(run.Alive);
    }

    [Fact]
    public async Task A_coordinator_that_was_paused_for_longer_than_a_host_may_be_silent_goes_on()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The processes are found in Linux's /proc.");
        StoppedRun run = await stopped.WithPausedCoordinator;
        Assert.Equal(3, run.Alive.Length);
        (int exitCode, string output, string errors) = run.End;
        Assert.True(exitCode == 1 && output.Contains("**Invalid:** The run was aborted after", StringComparison.Ordinal), output + errors);
    }

    // When a terminal closes, the signal is sent twice, by its shell and by the kernel, and to all processes.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_run_in_several_processes_keeps_what_was_measured_when_it_is_interrupted_or_its_terminal_closes(bool closes)
    {
        const int SIGHUP = 1;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The processes are found in Linux's /proc.");
        using BenchmarkProcess process = BenchmarkProcess.Start(InThreeProcesses.Split(' '));
        Assert.SkipWhen(closes && process.Ignores(SIGHUP), "The tests were started with nohup, so that every process ignores the signal.");
        int[] all = [process.Id, .. await process.MeasuringChildrenAsync(3)];
        foreach (int target in closes ? all.Concat(all) : [])
        {
            await BenchmarkProcess.SignalAsync("HUP", target);
        }

        (int exitCode, string output, _) = await (closes ? process.EndAsync() : process.InterruptedAsync());
        Assert.Equal(1, exitCode);
        Assert.Contains("**Invalid:** The run was aborted after", output, StringComparison.Ordinal);
        Assert.All(all[1..], child => Assert.False(Directory.Exists($"/proc/{child}"), $"process {child} still runs"));
    }

    [Fact]
    public async Task Where_standard_output_takes_nothing_the_files_are_written_and_the_reason_is_reported()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "There is no /dev/full.");
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunToAsync(
            "/dev/full", "-l", "Sockets", "-p", "0", "-c", "2", "-d", "0.2", "--warmup", "0", "--any-machine", "-o", Folder.FullName);
        string[] files = [.. Folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal)];
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Equal(["result.csv", "result.hgrm", "result.hlog", "result.html", "result.json", "result.md"], files);
        Assert.Equal(
            [$"Written to {Folder}", "Error: Standard output could not be written to: No space left on device"], BenchmarkProcess.WithoutWarnings(errors));
    }

    [Theory]
    [InlineData("2>&-", true)]
    [InlineData(">&-", false)]
    [InlineData("<&- >&- 2>&-", false)]
    [InlineData(">/dev/full 2>/dev/full", false)]
    [InlineData("| true", false)]
    public async Task Whatever_is_closed_the_result_is_written_where_it_can_be(string redirection, bool isPrinted)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "There is no /dev/full.");
        string script = $"{{ \"$@\"; echo $? >'{Folder.FullName}/code'; }} {redirection}";
        (_, string output, _) = await BenchmarkProcess.RunThroughAsync(
            ["sh", "-c", script, "sh"],
            "-l", "Sockets", "-p", "0", "-c", "2", "-d", "0.2", "--warmup", "0", "--any-machine", "--verbose", "-o", Folder.FullName);
        string code = await File.ReadAllTextAsync(Path.Combine(Folder.FullName, "code"), TestContext.Current.CancellationToken);
        int files = Folder.GetFiles("result.*").Length;
        Assert.Equal(("1\n", 6, isPrinted), (code, files, output.Contains("msg/s", StringComparison.Ordinal)));
    }

    [Theory, InlineData(">&-"), InlineData(">/dev/full")]
    public async Task A_result_without_files_that_standard_output_does_not_take_is_on_standard_error(string redirection)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "There is no /dev/full.");
        (int exitCode, _, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["sh", "-c", $"exec \"$@\" {redirection}", "sh"], "-l", "Sockets", "-p", "0", "-c", "2", "-d", "0.2", "--warmup", "0", "--any-machine");
        Assert.Equal(1, exitCode);
        Assert.Contains("Message throughput: ", errors, StringComparison.Ordinal);
        Assert.Contains("Error: Standard output could not be written to: ", errors, StringComparison.Ordinal);
    }

    // An agent waits for its coordinator, and for nothing else.
    [Fact]
    public async Task SIGTERM_ends_a_program_that_hangs()
    {
        const int SIGHUP = 1;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The handlers are found in Linux's /proc.");
        using BenchmarkProcess process = BenchmarkProcess.Start("--agent");
        Assert.SkipWhen(process.Ignores(SIGHUP), "The tests were started with nohup, so that every process ignores the signal.");

        // Its handler is registered after that of SIGTERM.
        await Wait.UntilAsync(() => process.Catches(SIGHUP), "a handler of SIGHUP");
        await BenchmarkProcess.SignalAsync("TERM", process.Id);
        (int exitCode, string output, string errors) = await process.EndAsync();
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Equal("Error: the program did not end within 5 s of SIGTERM, and was ended.\n", errors);
    }

    [Fact]
    public async Task An_agent_whose_input_ends_stops_by_itself()
    {
        using BenchmarkProcess process = BenchmarkProcess.Start("--agent");
        process.CloseInput();
        (int exitCode, string output, _) = await process.EndAsync();
        Assert.Equal((1, string.Empty), (exitCode, output));
    }

    private static void AssertEnded(string reason, (int ExitCode, string Output, string Errors) end)
    {
        Assert.Equal((1, string.Empty), (end.ExitCode, end.Output));
        Assert.StartsWith(reason, BenchmarkProcess.ReasonIn(end.Errors), StringComparison.Ordinal);
    }
}

/// <summary>Runs with a process that stands still. They begin with the class, so that their long waits pass beside its other tests.</summary>
public sealed class StoppedRuns : IAsyncLifetime
{
    private static readonly TimeSpan s_pause = FrameChannel.MaxSilence + TimeSpan.FromSeconds(5);

    /// <summary>Gets a run whose server was stopped, at its end.</summary>
    internal Task<StoppedRun> WithStoppedServer { get; private set; } = null!;

    /// <summary>Gets a run that was interrupted after its coordinator had been stopped for a while.</summary>
    internal Task<StoppedRun> WithPausedCoordinator { get; private set; } = null!;

    public ValueTask InitializeAsync()
    {
        if (OperatingSystem.IsLinux())
        {
            WithStoppedServer = StopServerAsync();
            WithPausedCoordinator = PauseCoordinatorAsync();
        }

        return ValueTask.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        if (OperatingSystem.IsLinux())
        {
            await ((Task)Task.WhenAll(WithStoppedServer, WithPausedCoordinator)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static async Task<StoppedRun> StopServerAsync()
    {
        using BenchmarkProcess process = BenchmarkProcess.Start(ProcessTests.InThreeProcesses.Split(' '));
        int[] children = await process.MeasuringChildrenAsync(3);
        await BenchmarkProcess.SignalAsync("STOP", children[0]);
        (int, string, string) end = await process.EndAsync();
        return new StoppedRun(end, AliveOf(children));
    }

    // A closed loop would keep the cores busy for the whole pause.
    private static async Task<StoppedRun> PauseCoordinatorAsync()
    {
        string[] load = ProcessTests.InThreeProcesses.Replace("-m 2", "--rate 100", StringComparison.Ordinal).Split(' ');
        using BenchmarkProcess process = BenchmarkProcess.Start([.. load, "--any-machine"]);
        int[] children = await process.MeasuringChildrenAsync(3);
        await BenchmarkProcess.SignalAsync("STOP", process.Id);
        await Task.Delay(s_pause, TestContext.Current.CancellationToken);
        await BenchmarkProcess.SignalAsync("CONT", process.Id);
        int[] alive = AliveOf(children);
        return new StoppedRun(await process.InterruptedAsync(), alive);
    }

    private static int[] AliveOf(int[] processes) => [.. processes.Where(process => Directory.Exists($"/proc/{process}"))];
}

/// <param name="End">The exit code and what was printed.</param>
/// <param name="Alive">The processes of the run that were alive: at its end, or after the pause.</param>
internal sealed record StoppedRun((int ExitCode, string Output, string Errors) End, int[] Alive);

public sealed class BurstRunTests
{
    [Theory, MemberData(nameof(StreamRun.StreamsOneInPlain), MemberType = typeof(StreamRun))]
    public async Task Bursts_of_framed_messages_end_by_themselves_over_a_stream(string library, Protocol protocol)
    {
        RunResult run = await RunAsync($"-l {library} -P {protocol} {StreamRun.KeyOf(protocol)} --framing checked -c 3 -m 2000 -s 2 --bursts 2 -d 60");
        Assert.Equal((12_000, 12_000, 6), (run.Totals.Sent, run.Totals.Received, run.Clients.Distributions![0].Latency.Count));
        Assert.Equal((0, 0, 0), (run.Lost, run.Duplicated, run.Corrupted));
        Assert.Equal(3, run.Clients.Figures![0].Value);
        Assert.InRange(run.Clients.Figures[1].Value, double.Epsilon, run.DurationSeconds);
    }

    [Fact]
    public async Task Bursts_of_large_messages_are_sent_at_once()
    {
        RunResult run = await RunAsync("-l Sockets -P Tcp --framing checked -c 1 -m 20 -s 1000000 --bursts 2 -d 60");
        Assert.Equal((40, 2), (run.Totals.Received, run.Clients.Distributions![0].Latency.Count));
    }

    [Fact]
    public async Task Bursts_over_udp_last_for_the_duration()
    {
        RunResult run = await RunAsync("-l Sockets -c 4 -m 10 --warmup 0.1 -d 0.3");
        Assert.InRange(run.Clients.Distributions![0].Latency.Count, 1, run.Messages.ClientReceived);
        Assert.Equal(run.Totals.Sent, run.Totals.Received);
        Assert.InRange(run.Clients.Distributions[0].Latency.Microseconds!.P50, run.LatencyMicroseconds!.Min!.Value, double.MaxValue);
    }

    private static Task<RunResult> RunAsync(string load) => ProgramInFolder.ResultAsync($"-t Burst -p 0 --any-machine --json {load}");
}

/// <summary>Messages that are larger than the packets of their path, in a network namespace of the test's own.</summary>
public sealed class SmallPacketTests
{
    private const string Divided = "A message of 1,400 bytes exceeds one packet of the path (1,280 bytes with its headers): " +
        "it is split, and one lost packet loses or delays the whole message.";

    private const string FellBack = "The packets of the path are too small for datagrams of 1,400 bytes, so Epoll's batch=gso sent them as mmsg does.";

    [Theory, Trait("Category", "Long")]
    [InlineData("-l Epoll --set epoll.batch=gso -s 1400", Divided, FellBack)]
    [InlineData("-l Epoll --set epoll.batch=gso -s 1400 -a ::1", Divided, FellBack, Traits = ["Category", "Long"])]
    [InlineData("-l Sockets -s 1400", Divided)]
    [InlineData("-l Epoll --set epoll.batch=gso -s 1252", Traits = ["Category", "Long"])]
    [InlineData("-l Sockets -P Tcp -s 1400", Traits = ["Category", "Long"])]
    public async Task A_message_of_more_than_one_packet_arrives_and_is_remarked(string load, params string[] remarks)
    {
        RunResult run = await BenchmarkProcess.ResultInNamespaceAsync(
            "ip link set lo up mtu 1280", $"{load} -c 2 -m 8 -p 0 --warmup 0.1 -d 0.2 --any-machine --json");
        Assert.Equal((0, 0), (run.Lost, run.Errors));

        // Whether both sides count at one rate depends on the machine.
        IEnumerable<string> ofPackets = run.Remarks.Where(remark => remark.Contains("packet", StringComparison.Ordinal));
        Assert.Equal(remarks.Order(StringComparer.Ordinal), ofPackets.Order(StringComparer.Ordinal));
    }
}
