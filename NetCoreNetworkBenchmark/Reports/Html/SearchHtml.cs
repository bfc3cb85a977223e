using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The pages of the searches: for the highest rate, and for the most clients.</summary>
internal static class SearchHtml
{
    private static readonly (string Name, string Style, Func<LatencySummary, double> Of)[] s_percentiles =
    [
        ("p50", "s0", latency => latency.P50), ("p99", "s1", latency => latency.P99), ("p99.9", "s2", latency => latency.P999),
    ];

    public static void Write(SweepResult result, TextWriter writer) => HtmlPage.Write(writer, $"Sweep of {result.Library}", result, html =>
    {
        html.WriteAborted(result.Aborted);
        MarkdownBlocks.WriteParagraph(html, SweepPage.ConclusionOf(result));
        WriteLatencies(
            html, "rate, msg/s", [.. result.Points.Where(point => point.Result?.LatencyMicroseconds is not null).Select(point =>
                (point.Rate, Invariant($"{point.Rate:N0} msg/s"), point.Result!.LatencyMicroseconds!, point.Holds))]);
        HtmlTable.Write(html, "Runs by rate", SweepPage.TableOf(result));
        html.WriteEnvironment(result.Environment, null);
        html.WriteCommand(result.Command);
    });

    public static void Write(CapacityResult result, TextWriter writer) => HtmlPage.Write(writer, $"Most clients of {result.Library}", result, html =>
    {
        html.WriteAborted(result.Aborted);
        MarkdownBlocks.WriteParagraph(html, CapacityPage.ConclusionOf(result));
        MarkdownBlocks.Write(html, text => CapacityPage.WriteFacts(result, text));
        WriteLatencies(
            html, "clients", [.. result.Steps.Where(step => step.Figures?.LatencyMicroseconds is not null).Select(step =>
                ((double)step.Clients, Invariant($"{step.Clients:N0} clients"), step.Figures!.LatencyMicroseconds!, step.Holds))]);
        HtmlTable.Write(html, "Numbers of clients", CapacityPage.TableOf(result));
        html.Element("p", CapacityPage.Meaning, ("class", "soft"));
        html.Line();
        html.WriteEnvironment(result.Environment, result.Fitness);
        html.WriteCommand(result.Command);
    });

    private static void WriteLatencies(HtmlWriter html, string title, (double Load, string Name, LatencySummary Latency, bool Holds)[] steps)
    {
        if (steps.Length == 0)
        {
            return;
        }

        (string Style, IReadOnlyList<PlotPoint> Points)[] lines =
        [
            .. s_percentiles.Select(percentile => (percentile.Style, (IReadOnlyList<PlotPoint>)
            [
                .. steps.Select(step => new PlotPoint(
                    step.Load,
                    percentile.Of(step.Latency),
                    $"{step.Name}, {percentile.Name}: {PlotLabels.Microseconds(percentile.Of(step.Latency))}",
                    !step.Holds)),
            ])),
        ];
        PlotPoint[] points = [.. lines.SelectMany(line => line.Points)];
        using HtmlWriter.Scope plots = html.BeginPlots();
        LinePlot.Write(
            html,
            new PlotFrame("Latency over load", string.Join("; ", points.Select(point => point.Tip)))
            {
                Note = "From the lowest line: p50, p99, p99.9. Circles: does not hold.",
                VerticalTitle = "latency",
                HorizontalTitle = title,
            },
            PlotAxis.Logarithmic(points.Select(point => point.X), PlotLabels.Short),
            PlotAxis.Logarithmic(points.Select(point => point.Y), PlotLabels.Time),
            lines);
    }
}
