using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>The page of two sets of results side by side: the ratio of each case with its interval, and its latencies, the slower ones first.</summary>
internal static class ComparisonHtml
{
    private const int RowsOfPlot = 30;

    private static readonly string[] s_sides = ["old", "new"];

    public static void Write(ComparisonResult result, TextWriter writer) => HtmlPage.Write(writer, "Comparison", result, html =>
    {
        ComparedCase[] cases =
        [
            .. result.Cases.OrderBy(compared => compared.Verdict == Verdict.Slower ? 0 : 1).ThenBy(compared => compared.Ratio),
        ];
        int slower = cases.Count(compared => compared.Verdict == Verdict.Slower);
        html.Element(
            "p",
            slower == 0
                ? Invariant($"None of {cases.Length:N0} cases is slower.")
                : Invariant($"{slower:N0} of {cases.Length:N0} cases {(slower == 1 ? "is" : "are")} slower."),
            ("class", slower == 0 ? "good" : "bad"));
        html.Line();
        html.WriteAborted(result.Aborted);
        html.WriteFacts("headline", Enum.GetValues<Verdict>().Select(verdict => (NameOf(verdict), (string?)Invariant(
            $"{cases.Count(compared => compared.Verdict == verdict):N0}"))));
        MarkdownBlocks.Write(html, text => ComparisonPage.WriteFacts(result, text));
        using (html.BeginSection("Ratios"))
        {
            MarkdownBlocks.WriteParagraph(
                html,
                "Each dot is the ratio of a case, with the interval that decides its verdict. Left of 1, the new one is slower. " +
                    Invariant($"The area is the change of up to {result.Threshold * 100:0.#} % that counts as the same. Circles are inconclusive."));
            using HtmlWriter.Scope plots = html.BeginPlots();
            WriteRatios(result, cases, html);
        }

        WriteLatencies(cases, html);
        using (html.BeginSection("Cases"))
        {
            HtmlTable.Write(html, "Old and new figures of each case", ComparisonPage.TableOf(result with { Cases = cases }));
        }

        if (result.NotCompared.Count > 0)
        {
            using HtmlWriter.Scope section = html.BeginSection("Not compared");
            MarkdownBlocks.WriteList(html, result.NotCompared);
        }

        html.WriteCommand(result.Command);
    });

    // A plot with all cases would be as long as the page, and its axis out of sight.
    private static void WriteRatios(ComparisonResult result, ComparedCase[] cases, HtmlWriter html)
    {
        (double From, double To) same = (1 - result.Threshold, 1 / (1 - result.Threshold));
        IEnumerable<double> values = cases.SelectMany(compared => ComparisonPage.DecisiveOf(compared) is { } interval
            ? (double[])[compared.Ratio, interval.Lower, interval.Upper]
            : [compared.Ratio]);
        var axis = PlotAxis.Logarithmic([.. values, same.From, same.To], PlotLabels.Number);
        foreach ((int index, ComparedCase[] part) in cases.Chunk(RowsOfPlot).Index())
        {
            int first = (index * RowsOfPlot) + 1;
            string place = cases.Length > RowsOfPlot ? Invariant($", {first} to {first + part.Length - 1} of {cases.Length}") : string.Empty;
            var frame = new PlotFrame($"Messages a second, new / old{place}", string.Join("; ", part.Select(WordsOf))) { HorizontalTitle = "new / old" };
            BarPlot.Write(html, frame, axis, [.. part.Select(Row)], marked: 1, same);
        }
    }

    private static void WriteLatencies(ComparedCase[] cases, HtmlWriter html)
    {
        ComparedCase[] known = [.. cases.Where(compared => compared.OldLatency is not null || compared.NewLatency is not null)];
        if (known.Length == 0)
        {
            return;
        }

        using HtmlWriter.Scope section = html.BeginSection("Latencies");
        html.Element("p", "Latency over percentiles, of the launch with the median rate in each set. If a set has several results of a case, they are merged.");
        html.Line();
        var style = new SeriesStyle(s_sides);
        style.WriteLegend(s_sides, html);
        using HtmlWriter.Scope plots = html.BeginPlots();
        foreach (ComparedCase compared in known)
        {
            LinePlot.WriteCurves(
                html,
                TitleOf(compared),
                $"Rate: {RatioOf(compared)}.",
                [CurveOf(s_sides[0], compared.OldLatency), CurveOf(s_sides[1], compared.NewLatency)],
                style);
        }
    }

    private static LatencyCurve? CurveOf(string name, ComparedLatency? latency) =>
        LatencyCurve.Of(name, latency?.Microseconds, latency?.Histogram, latency?.Count ?? 0);

    private static PlotRow Row(ComparedCase compared) => new(
        TitleOf(compared), $"v-{NameOf(compared.Verdict)}", Figure(compared.Ratio, "0.000"), WordsOf(compared))
    {
        Interval = ComparisonPage.DecisiveOf(compared) is { } interval ? (interval.Lower, interval.Upper) : null,
        Dot = (compared.Ratio, compared.Verdict == Verdict.Inconclusive),
    };

    private static string NameOf(Verdict verdict) => verdict.ToString().ToLowerInvariant();

    private static string TitleOf(ComparedCase compared) => $"{compared.Benchmark}: {compared.Library}";

    private static string WordsOf(ComparedCase compared) => $"{compared.Benchmark}, {compared.Library}: {RatioOf(compared)}";

    private static string RatioOf(ComparedCase compared) =>
        $"{Figure(compared.Ratio, "0.000")}{IntervalOf(compared)}, {NameOf(compared.Verdict)}";

    private static string IntervalOf(ComparedCase compared) => ComparisonPage.DecisiveOf(compared) is { } interval
        ? $" ({Interval(interval.Lower, interval.Upper, "0.000")} at {Confidence(interval)})"
        : string.Empty;
}
