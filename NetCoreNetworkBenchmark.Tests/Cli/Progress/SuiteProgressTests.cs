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
}
