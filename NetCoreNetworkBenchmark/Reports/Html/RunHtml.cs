using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The page of one run.</summary>
internal static class RunHtml
{
    private const string Corrected = "latency";
    private const string Uncorrected = "uncorrected";

    public static void Write(RunResult result, TextWriter writer) => HtmlPage.Write(writer, $"{result.Test}: {result.Name}", result, html =>
    {
        html.Element("p", PageParts.Transport(result), ("class", "soft"));
        html.Line();
        html.WriteValidity(result.Valid, result.InvalidReasons);
        html.WriteAborted(result.Aborted);
        html.WriteFacts("headline", Headline(result));
        WritePlots(result, html);
        if (result.Timeline is { } timeline)
        {
            TimelinePlots.Write(html, timeline);
        }

        using (html.BeginSection("All figures"))
        {
            MarkdownBlocks.Write(html, text => RunPage.WriteBody(result with { InvalidReasons = [] }, text));
        }

        using (html.BeginSection("Load"))
        {
            MarkdownBlocks.Write(html, text => RunPage.WriteHeader(result.Test, result, text));
        }

        html.WriteEnvironment(result.Environment, result.Fitness);
        html.WriteCommand(result.Command);
    });

    private static IEnumerable<(string Name, string? Value)> Headline(RunResult result)
    {
        LatencySummary? latency = result.LatencyMicroseconds;
        ProcessCost? cost = result.Costs.Server ?? result.Costs.Together;
        return
        [
            ("Messages a second", Invariant($"{result.MessagesPerSecond:N0}")),
            ("Data", Invariant($"{result.MegabytesPerSecond:N2} MB/s")),
            ("Latency, mean", Figure(latency?.Mean, "N3", " µs")),
            ("Latency, p50", Figure(latency?.P50, "N3", " µs")),
            ("Latency, p99", Figure(latency?.P99, "N3", " µs")),
            ("Latency, p99.9", Figure(latency?.P999, "N3", " µs")),
            ("Latency, max", Figure(latency?.Max, "N3", " µs")),
            (result.Costs.Server is null ? "CPU of both sides a message" : "Server CPU a message", Figure(cost?.CpuMicrosecondsPerMessage, "N3", " µs")),
            ("Lost", Invariant($"{result.Lost:N0}")),
            ("Errors", Invariant($"{result.Errors:N0}")),
        ];
    }

    private static void WritePlots(RunResult result, HtmlWriter html)
    {
        long count = result.Messages.ClientReceived;
        var both = new SeriesStyle([Corrected, Uncorrected]);
        (string Name, LatencySummary? Summary, string? Histogram, long Count)[] others =
        [
            .. (result.Parts ?? []).Select(part => (part.Name, part.Microseconds, part.Histogram, count)),
            .. (result.Distributions ?? []).Select(found => (found.Name, found.Microseconds, found.Histogram, found.Count)),
        ];
        var ofOthers = new SeriesStyle(others.Select(found => found.Name));
        (string, string, ProcessCost)[] costs =
        [
            .. from side in ((string Name, string Style, ProcessCost? Cost)[])
               [
                   ("Server", "s0", result.Costs.Server), ("Clients", "s1", result.Costs.Clients), ("Server and clients", "s0", result.Costs.Together),
               ]
               where side.Cost is not null
               select (side.Name, side.Style, side.Cost),
        ];

        using HtmlWriter.Scope plots = html.BeginPlots();
        LinePlot.WriteCurves(
            html,
            "Latency over percentiles",
            result.UncorrectedLatencyMicroseconds is null ? null : "Orange: uncorrected, as a client that waits for its answers sees it.",
            [
                LatencyCurve.Of(Corrected, result.LatencyMicroseconds, result.Histogram, count),
                LatencyCurve.Of(Uncorrected, result.UncorrectedLatencyMicroseconds, result.UncorrectedHistogram, count),
            ],
            both);
        if (others.Length > 0)
        {
            using HtmlWriter.Scope column = html.Begin("div");
            ofOthers.WriteLegend(others.Select(found => found.Name), html);
            LinePlot.WriteCurves(
                html,
                "Other times over percentiles",
                null,
                others.Select(found => LatencyCurve.Of(found.Name, found.Summary, found.Histogram, found.Count)),
                ofOthers);
        }

        WriteIterations(result, html);
        using HtmlWriter.Scope bars = html.Begin("div");
        CostPlots.WriteCpu(html, "CPU time of a message", costs);
        CostPlots.WriteAllocations(html, "Allocations of a message", costs);
    }

    private static void WriteIterations(RunResult result, HtmlWriter html)
    {
        if (result.Iterations.Count < 2)
        {
            return;
        }

        PlotPoint[] points =
        [
            .. result.Iterations.Index().Select(part => new PlotPoint(
                part.Index + 1, part.Item.MessagesPerSecond, Invariant($"Part {part.Index + 1}: {part.Item.MessagesPerSecond:N0} msg/s"))),
        ];
        LinePlot.Write(
            html,
            new PlotFrame("Rate over the measurement", string.Join("; ", points.Select(point => point.Tip)))
            {
                VerticalTitle = "msg/s",
                HorizontalTitle = "part",
            },
            PlotAxis.Numbers(points.Length),
            PlotAxis.Linear(points.Select(point => point.Y), PlotLabels.Short),
            [("s0", points)]);
    }
}
