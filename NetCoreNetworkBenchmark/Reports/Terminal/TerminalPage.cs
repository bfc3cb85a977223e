using NetCoreNetworkBenchmark.Results;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>Results as a person sees them on a terminal: tables with bars, in the width of the terminal.</summary>
internal static class TerminalPage
{
    /// <summary>Draws a result.</summary>
    public static void Draw(Result result, IAnsiConsole console)
    {
        switch (result)
        {
            case RunResult run:
                RunDrawing.Draw(run, console);
                break;
            case SuiteResult suite:
                SuiteDrawing.Draw(suite, console);
                break;
            case ComparisonResult comparison:
                ComparisonDrawing.Draw(comparison, console);
                break;
            case SweepResult sweep:
                SearchDrawing.Draw(sweep, console);
                break;
            case CapacityResult capacity:
                SearchDrawing.Draw(capacity, console);
                break;
            default:
                TerminalText.Draw(console, writer => new MarkdownReport().Write(result, writer));
                break;
        }
    }
}
