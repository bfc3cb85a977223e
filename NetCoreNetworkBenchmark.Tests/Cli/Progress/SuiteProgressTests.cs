using NetCoreNetworkBenchmark.Cli.Progress;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Tests.Cli.Progress;

public sealed class SuiteProgressTests
{
    [Theory]
    [InlineData(5, "0:05")]
    [InlineData(3599, "59:59")]
    [InlineData(3900, "1:05:00")]
    [InlineData(90_000, "25:00:00")]
    public void Finished_prints_the_remaining_time(int seconds, string text)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer) });
        var step = new SuiteStep("Benchmark 1, set 1", 1, 3, TimeSpan.Zero, TimeSpan.FromSeconds(seconds));
        new SuiteProgress(console, verbose: false).Finished(step, []);
        Assert.EndsWith($"({text} left)\n", writer.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0.123, "within ±12.3 %, target ±4 %")]
    [InlineData(2.794, "within ±>100 %, target ±4 %")]
    [InlineData(0, null)]
    public void Finished_prints_an_interval_only_if_there_is_one(double half, string? text)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer) });
        var step = new SuiteStep("Benchmark 1, set 1", 1, 3, TimeSpan.Zero, TimeSpan.Zero) { Decision = new Decision(half, 0.04, 1, []) };
        new SuiteProgress(console, verbose: false).Finished(step, []);
        Assert.Equal(text is null ? "[1/3] Benchmark 1, set 1: \n" : $"[1/3] Benchmark 1, set 1: ; {text}\n", writer.ToString());
    }

    [Theory]
    [InlineData(10, 5, 0, "0:05 left")]
    [InlineData(10, 5, 60, "1:05 left")]
    [InlineData(10, 12, 60, "more than 1:00 left")]
    [InlineData(10, 58, 0, "0:48 longer than estimated")]
    public void The_remaining_time_is_never_zero(int expected, int elapsed, int after, string text) => Assert.Equal(
        text,
        SuiteProgress.RemainingOf(
            new SuiteStep("PingPong", 1, 1, TimeSpan.FromSeconds(expected), TimeSpan.FromSeconds(after)), TimeSpan.FromSeconds(elapsed)));

    [Fact]
    public async Task The_reason_of_an_invalid_case_is_one_line_at_the_end()
    {
        using var writer = new StringWriter { NewLine = "\n" };
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer) });
        var progress = new SuiteProgress(console, verbose: false);
        var suiteCase = new SuiteCase("PingPong", SampleResults.Valid.Plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 3);
        RunResult invalid = SampleResults.Invalid;
        await progress.ShowAsync(() =>
        {
            foreach (int number in (int[])[1, 2])
            {
                progress.Finished(
                    new SuiteStep($"PingPong, set {number}", number, 2, TimeSpan.Zero, TimeSpan.Zero),
                    [new CaseLaunch(suiteCase, new LaunchResult(number, invalid, $"reason {number}"))]);
            }

            return Task.FromResult(SampleSuites.Turns);
        });
        string[] lines = writer.ToString().TrimEnd('\n').Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.All(lines[..2], line => Assert.EndsWith("msg/s, INVALID", line, StringComparison.Ordinal));
        Assert.Equal($"Invalid (2 times): PingPong, {suiteCase.Name}: reason 2", lines[2]);
    }

    [Fact]
    public void Finished_prints_why_a_launch_failed()
    {
        using var writer = new StringWriter { NewLine = "\n" };
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer) });
        var suiteCase = new SuiteCase("PingPong", SampleResults.Valid.Plan, LibraryUnderTest.Create("Sockets").Info, new PingPong(), 1);
        new SuiteProgress(console, verbose: false).Finished(
            new SuiteStep("PingPong", 1, 1, TimeSpan.Zero, TimeSpan.Zero), [new CaseLaunch(suiteCase, new LaunchResult(1, Result: null, "It hung."))]);
        Assert.Equal("[1/1] PingPong: FAILED: It hung.\n", writer.ToString());
    }

    [Fact]
    public void A_finished_line_that_wraps_erases_the_live_line_below_it()
    {
        using var writer = new StringWriter { NewLine = "\n" };
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.Yes,
            Interactive = InteractionSupport.Yes,
            Out = new TerminalOutput(writer),
        });
        var step = new SuiteStep(string.Join(' ', Enumerable.Repeat("aaa", 40)), 1, 1, TimeSpan.Zero, TimeSpan.Zero);
        new SuiteProgress(console, verbose: false).Finished(step, []);
        Assert.StartsWith("\u001b[J[1/1] aaa aaa", writer.ToString(), StringComparison.Ordinal);
    }

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
