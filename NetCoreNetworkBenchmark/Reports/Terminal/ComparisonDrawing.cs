using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using Spectre.Console;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>Two sets of results: the ratio of each case with its interval around 1, the slower ones first.</summary>
internal static class ComparisonDrawing
{
    // A change is seen in proportion: twice as fast is as far from the line as half as fast.
    private const double LeastSpan = 0.1;

    public static void Draw(ComparisonResult result, IAnsiConsole console) => TerminalText.Draw(
        console, writer => ComparisonPage.Write(result, writer), () => DrawCases(result, console));

    private static void DrawCases(ComparisonResult result, IAnsiConsole console)
    {
        double span = result.Cases.SelectMany(compared => EndsOf(compared).Append(compared.Ratio))
            .Where(ratio => ratio > 0).Select(ratio => Math.Abs(Math.Log(ratio))).Append(LeastSpan).Max();
        double Place(double ratio) => ratio > 0 ? 0.5 + (Math.Log(ratio) / span / 2) : 0;
        BarTable.Draw<ComparedCase>(
            console,
            [
                new("Benchmark") { Text = compared => compared.Benchmark, IsFigure = false, MayWrap = true },
                new("Library") { Text = compared => compared.Library, IsFigure = false },
                new("slower │ faster")
                {
                    IsFigure = false,
                    Bar = (compared, width) => Bars.OfRatio(
                        Place(compared.Ratio),
                        ComparisonPage.DecisiveOf(compared) is { } low ? Place(low.Lower) : null,
                        ComparisonPage.DecisiveOf(compared) is { } high ? Place(high.Upper) : null,
                        width,
                        StyleOf(compared)),
                },
                new("ratio") { Text = compared => Figure(compared.Ratio, "0.000") },
                new("interval") { Text = IntervalOf, Need = 2 },
                new("old msg/s") { Text = compared => Figure(compared.OldMedian), Need = 3 },
                new("new msg/s") { Text = compared => Figure(compared.NewMedian), Need = 1 },
                new("server CPU") { Text = compared => Figure(compared.ServerCost?.Ratio, "0.000"), Need = result.Cases.Any(HasCost) ? 4 : int.MaxValue },
                new("verdict") { Text = compared => compared.Verdict.ToString().ToLowerInvariant(), Style = StyleOf, IsFigure = false },
            ],
            [.. result.Cases.OrderBy(compared => compared.Verdict == Verdict.Slower ? 0 : 1).ThenBy(compared => compared.Ratio)]);
    }

    private static double[] EndsOf(ComparedCase compared) =>
        ComparisonPage.DecisiveOf(compared) is { } interval ? [interval.Lower, interval.Upper] : [];

    private static string IntervalOf(ComparedCase compared) => ComparisonPage.DecisiveOf(compared) is { } interval
        ? Interval(interval.Lower, interval.Upper, "0.000")
        : "-";

    private static bool HasCost(ComparedCase compared) => compared.ServerCost is not null;

    private static string StyleOf(ComparedCase compared) => compared.Verdict switch
    {
        Verdict.Slower => "red",
        Verdict.Faster => "green",
        Verdict.Inconclusive => "yellow",
        _ => string.Empty,
    };
}
