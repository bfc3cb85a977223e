using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The page of sets of results over time: the changes, and plots of each case, those with changes first.</summary>
internal static class TrendHtml
{
    public static void Write(TrendResult result, TextWriter writer) => HtmlPage.Write(writer, "Trend", result, html =>
    {
        TrendChange[] changes = [.. result.Cases.SelectMany(found => found.Changes)];
        html.Element("p", TrendPage.Headline(result), ("class", changes.Any(change => change.Verdict == Verdict.Slower) ? "bad" : "good"));
        html.Line();
        html.WriteFacts(
            "headline",
            ("Sets", Invariant($"{result.Sets.Count:N0}")),
            ("Slower", Invariant($"{TrendPage.CountOf(changes, Verdict.Slower):N0}")),
            ("Faster", Invariant($"{TrendPage.CountOf(changes, Verdict.Faster):N0}")),
            ("Open", Invariant($"{changes.Count(change => !change.IsConfirmed):N0}")));
        MarkdownBlocks.Write(html, text => TrendPage.WriteFacts(result, text));
        MarkdownBlocks.WriteList(html, result.Remarks);
        if (changes.Length > 0)
        {
            using HtmlWriter.Scope section = html.BeginSection("Changes");
            HtmlTable.Write(html, "Changes, the newest first", TrendPage.ChangesOf(result));
        }

        WriteCases("Cases with changes", result, [.. result.Cases.Where(found => found.Changes.Count > 0)], html);
        WriteCases("Cases without changes", result, [.. result.Cases.Where(found => found.Changes.Count == 0)], html);
        using (html.BeginSection("Figures"))
        {
            HtmlTable.Write(html, "First and last figures of each case", TrendPage.CasesOf(result));
        }

        using (html.BeginSection("Sets"))
        {
            HtmlTable.Write(html, "Sets, the oldest first", TrendPage.SetsOf(result));
        }
    });

    private static void WriteCases(string title, TrendResult result, TrendCase[] cases, HtmlWriter html)
    {
        if (cases.Length == 0)
        {
            return;
        }

        using HtmlWriter.Scope section = html.BeginSection(title);
        html.Element(
            "p",
            "Each point is a set, with its 95 % interval. A broken line is a change: the first set behind it has the new rate. Circles are open changes.",
            ("class", "soft"));
        html.Line();
        foreach (TrendCase found in cases)
        {
            using HtmlWriter.Scope part = html.BeginSection($"{found.Benchmark}: {found.Library}", level: 3);
            using HtmlWriter.Scope plots = html.BeginPlots("plots three");
            TrendPlot.Write(html, result, found, RateOf(found));
            TrendPlot.Write(html, result, found, TimeOf("Latency, p99 of all launches", point => point.P99Microseconds));
            TrendPlot.Write(html, result, found, TimeOf("Server: CPU time of a message", point => point.ServerCpuMicroseconds));
        }
    }

    private static TrendMeasure TimeOf(string title, Func<TrendPoint, TrendFigure?> figure) => new(title, figure, PlotLabels.Time, PlotLabels.Microseconds);

    private static TrendMeasure RateOf(TrendCase found) => new(
        found.RelativeTo is { } other ? $"Messages a second, in relation to {other}" : "Messages a second",
        point => point.Rate,
        PlotLabels.Short,
        rate => TrendPage.RateOf(found, rate))
    {
        IsJudged = true,
    };
}
