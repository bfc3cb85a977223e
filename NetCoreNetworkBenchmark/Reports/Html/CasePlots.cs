using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The plots of a benchmark, each with all its cases.</summary>
internal static class CasePlots
{
    public static void Write(BenchmarkResult benchmark, SeriesStyle style, HtmlWriter html)
    {
        string launch = benchmark.Floor is null ? "launch" : "set";
        (CaseResult Case, RunResult Run)[] medians =
        [
            .. from found in benchmark.Cases
               let median = found.MedianLaunch()
               where median is not null
               select (found, median),
        ];
        LinePlot.WriteCurves(
            html,
            "Latency over percentiles",
            $"Of the {launch} with the median rate alone; the table has the percentiles of all {launch}s together.",
            medians.Select(median => LatencyCurve.Of(
                median.Case.Library, median.Run.LatencyMicroseconds, median.Run.Histogram, median.Run.Messages.ClientReceived)),
            style);
        WriteRates(benchmark, launch, style, html);
        (string, string, ProcessCost)[] costs =
        [
            .. from median in medians
               let cost = median.Run.Costs.Server ?? median.Run.Costs.Together
               where cost is not null
               select (median.Case.Library, style.Of(median.Case.Library), cost),
        ];
        string of = medians.Any(median => median.Run.Costs.Server is not null) ? "Server: " : "Server and clients: ";
        CostPlots.WriteCpu(html, $"{of}CPU time of a message", costs);
        CostPlots.WriteAllocations(html, $"{of}allocations of a message", costs);
    }

    private static void WriteRates(BenchmarkResult benchmark, string launch, SeriesStyle style, HtmlWriter html)
    {
        (CaseResult Case, PlotPoint[] Points)[] lines =
        [
            .. benchmark.Cases.Select(found => (found, PointsOf(found, launch))).Where(line => line.Item2.Length > 0),
        ];
        if (lines.Length == 0)
        {
            return;
        }

        LinePlot.Write(
            html,
            new PlotFrame($"Rate over {launch}s", string.Join("; ", lines.Select(line => WordsOf(line.Case))))
            {
                Note = lines.Any(line => line.Points.Any(point => point.IsHollow)) ? "Circles: invalid." : null,
                VerticalTitle = "msg/s",
                HorizontalTitle = launch,
            },
            PlotAxis.Numbers(benchmark.Cases.Max(found => found.Launches.Count)),
            PlotAxis.Logarithmic(lines.SelectMany(line => line.Points).Select(point => point.Y), PlotLabels.Short),
            [.. lines.Select(line => (style.Of(line.Case.Library), (IReadOnlyList<PlotPoint>)line.Points))]);
    }

    private static PlotPoint[] PointsOf(CaseResult found, string launch) =>
    [
        .. from run in found.Launches.Index()
           let rate = run.Item.MessagesPerSecond
           where rate is not null
           select new PlotPoint(
               run.Index + 1,
               rate.Value,
               Invariant($"{found.Library}, {launch} {run.Index + 1}: {rate.Value:N0} msg/s{(run.Item.IsValid ? string.Empty : ", invalid")}"),
               !run.Item.IsValid),
    ];

    private static string WordsOf(CaseResult found) =>
        $"{found.Library}: {string.Join(", ", found.Launches.Select(launch => Figure(launch.MessagesPerSecond)))} msg/s";
}
