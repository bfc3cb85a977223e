using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Tests.Running.Sessions;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Tests.Cli.Progress;

public sealed class SuiteProgressTests
{
    [Theory, InlineData(5, "0:05"), InlineData(3599, "59:59"), InlineData(3900, "1:05:00"), InlineData(90_000, "25:00:00")]
    public void Finished_prints_the_remaining_time(int seconds, string text)
    {
        Step step = StepOf("Benchmark 1, set 1", 1, 3) with { ExpectedAfter = TimeSpan.FromSeconds(seconds) };
        Written(step, writer => new AnsiConsoleOutput(writer)).AssertEnds($"({text} left)\n");
    }

    [Theory, InlineData(0.123, "within ±12.3 %, target ±4 %"), InlineData(2.794, "within ±>100 %, target ±4 %"), InlineData(0, null)]
    public void Finished_prints_an_interval_only_if_there_is_one(double half, string? text)
    {
        Step step = StepOf("Benchmark 1, set 1", 1, 3) with { Decision = new Decision(half, 0.04, 1, []) };
        Assert.Equal($"[1/3] Benchmark 1, set 1: {(text is null ? null : $"; {text}")}\n", Written(step, writer => new AnsiConsoleOutput(writer)));
    }

    [Theory]
    [InlineData(10, 5, 0, "0:05 left"), InlineData(10, 5, 60, "1:05 left"), InlineData(10, 12, 60, "more than 1:00 left")]
    [InlineData(10, 58, 0, "0:48 longer than estimated")]
    public void The_remaining_time_is_never_zero(int expected, int elapsed, int after, string text) => Assert.Equal(
        text,
        SuiteProgress.RemainingOf(
            StepOf("PingPong", 1, 1) with { Expected = TimeSpan.FromSeconds(expected), ExpectedAfter = TimeSpan.FromSeconds(after) },
            TimeSpan.FromSeconds(elapsed)));

    [Fact]
    public async Task A_phase_that_several_hosts_enter_at_once_has_one_line()
    {
        const int Hosts = 4;
        const int Runs = 1_000;
        int lines = 0;
        PhaseLines[] phases = [.. Enumerable.Range(0, Runs).Select(_ => new PhaseLines(_ => Interlocked.Increment(ref lines), "Run"))];
        using var together = new Barrier(Hosts);
        Task[] hosts =
        [
            .. Enumerable.Range(0, Hosts).Select(_ => OwnThread.RunAsync(() =>
            {
                foreach (PhaseLines run in phases)
                {
                    Assert.True(together.SignalAndWait(LibraryUnderTest.Deadline));
                    run.Report(new RunProgress(RunPhase.Measure, TimeSpan.Zero, null, 0));
                }
            })),
        ];
        await Task.WhenAll(hosts);
        Assert.Equal(Runs, lines);
    }

    [Fact]
    public async Task The_reason_of_an_invalid_case_is_one_line_at_the_end()
    {
        using var writer = new StringWriter { NewLine = "\n" };
        var progress = new SuiteProgress(AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer) }), verbose: false);
        var suiteCase = new SuiteCase("PingPong", SampleResults.Valid.Plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 2);
        var runner = new MadeUpRunner(step => [new CaseLaunch(suiteCase, new LaunchResult(step.Number, SampleResults.Invalid, $"reason {step.Number}"))]);
        var session = new Session(new FixedLaunches([suiteCase]), runner) { Finished = progress.Finished };
        await progress.ShowAsync(session.RunAsync(TestContext.Current.CancellationToken));
        string[] lines = writer.ToString().TrimEnd('\n').Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.All(lines[..2], line => Assert.Contains("msg/s, INVALID", line, StringComparison.Ordinal));
        Assert.Equal($"Invalid (2 times): PingPong, {suiteCase.Name}: reason 2", lines[2]);
    }

    [Fact]
    public void Finished_prints_why_a_launch_failed()
    {
        var suiteCase = new SuiteCase("PingPong", SampleResults.Valid.Plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 1);
        var launch = new CaseLaunch(suiteCase, new LaunchResult(1, Result: null, "It hung."));
        Assert.Equal(
            "[1/1] PingPong: FAILED: It hung.\n", Written(StepOf("PingPong", 1, 1) with { Launches = [launch] }, writer => new AnsiConsoleOutput(writer)));
    }

    [Fact]
    public void A_finished_line_that_wraps_erases_the_live_line_below_it()
    {
        Written(StepOf(string.Join(' ', Enumerable.Repeat("aaa", 40)), 1, 1), writer => new TerminalOutput(writer)).AssertBegins("\u001b[J[1/1] aaa aaa");
    }

    private static string Written(Step step, Func<TextWriter, IAnsiConsoleOutput> outputTo)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        IAnsiConsoleOutput output = outputTo(writer);
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = output.IsTerminal ? AnsiSupport.Yes : AnsiSupport.Detect,
            Interactive = output.IsTerminal ? InteractionSupport.Yes : InteractionSupport.Detect,
            Out = output,
        });
        new SuiteProgress(console, verbose: false).Finished(step);
        return writer.ToString();
    }

    private static Step StepOf(string name, int place, int count) => new(name, [], 1)
    {
        Place = place,
        Count = count,
    };

    private sealed class TerminalOutput(TextWriter writer) : IAnsiConsoleOutput
    {
        public TextWriter Writer => writer;
        public bool IsTerminal => true;
        public int Width => 80;
        public int Height => 24;

        public void SetEncoding(System.Text.Encoding encoding)
        {
        }
    }
}
