using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Reports.Terminal;

/// <summary>Sets of results over time: the rates of each case as a row of columns, those with changes first.</summary>
internal static class TrendDrawing
{
    // Less is no difference that a row of columns should show.
    private const double LeastSpan = 1.5;

    public static void Draw(TrendResult result, IAnsiConsole console)
    {
        TerminalText.Draw(console, writer =>
        {
            TrendPage.WriteFacts(result, writer);
            writer.WriteLine();
            writer.WriteTable(TrendPage.SetsOf(result));
            TrendPage.WriteChanges(result, writer);
        });
        console.WriteLine();
        DrawCases([.. result.Cases.Where(found => found.Points.Count > 0).OrderByDescending(found => found.Changes.Count > 0)], console);
        TerminalText.Draw(console, writer => writer.WriteList("Remarks:", result.Remarks));
    }

    private static void DrawCases(TrendCase[] cases, IAnsiConsole console) => BarTable.Draw<TrendCase>(
        console,
        [
            new("Benchmark") { Text = found => found.Benchmark, IsFigure = false, MayWrap = true },
            new("Library") { Text = found => found.Library, IsFigure = false },
            new("rate over time") { Bar = (found, width) => Bars.OfColumns(HeightsOf(found), width, StyleOf(found)), IsFigure = false },
            new("first") { Text = found => TrendPage.RateOf(found, found.Points[0].Rate.Value), Need = 1 },
            new("last") { Text = found => TrendPage.RateOf(found, found.Points[^1].Rate.Value) },
            new("rate") { Text = TrendPage.UnitOf, IsFigure = false, Need = 3 },
            new("changes") { Text = TrendPage.ChangesOf, Style = StyleOf, IsFigure = false },
        ],
        cases);

    private static double[] HeightsOf(TrendCase found)
    {
        double[] rates = [.. found.Points.Select(point => point.Rate.Value)];
        double low = Math.Min(rates.Min(), rates.Max() / LeastSpan);
        return [.. rates.Select(rate => (rate - low) / (rates.Max() - low))];
    }

    private static string StyleOf(TrendCase found) => found.Changes.Count == 0 ? string.Empty : found.Changes[^1] switch
    {
        { IsConfirmed: false } => "yellow",
        { Verdict: Verdict.Slower } => "red",
        _ => "green",
    };
}
