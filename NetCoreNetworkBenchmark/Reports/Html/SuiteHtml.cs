using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Html;

/// <summary>
/// The page of several cases with several launches: the ranking of all benchmarks first, then each benchmark with its plots, table and details.
/// </summary>
internal static class SuiteHtml
{
    private const string FirstPart = "Benchmarks";

    public static void Write(SuiteResult result, TextWriter writer)
    {
        EnvironmentInfo machine = result.Environment;
        bool isRanked = DecisionTable.Fits(result);
        string title = isRanked ? SuitePage.TitleOf(result) : Invariant($"{machine.Cpu}, {machine.Cores} cores, {machine.Os}");
        HtmlPage.Write(writer, title, result, html =>
        {
            (string Id, BenchmarkResult Benchmark)[] benchmarks =
            [
                .. result.Benchmarks.Index().Select(found => (Invariant($"b{found.Index + 1}"), found.Item)),
            ];
            var style = new SeriesStyle(result.Benchmarks.SelectMany(benchmark => benchmark.Cases).Select(found => found.Library));
            IGrouping<string, (string Id, BenchmarkResult Benchmark)>[] parts = [.. benchmarks.GroupBy(found => found.Benchmark.Part ?? FirstPart)];
            html.WriteAborted(result.Aborted);
            if (isRanked)
            {
                WriteDecision(result, [.. parts[0].Select(found => found.Benchmark)], style, html);
            }
            else
            {
                html.Element("p", Invariant($"Measured on {result.StartedAt.UtcDateTime:yyyy-MM-dd HH:mm} UTC."), ("class", "soft"));
                html.Line();
                WriteValidity(result, html);
            }

            WriteLinks(benchmarks, html);
            WriteRanking(result, isRanked ? parts[1..] : parts, style, html);
            WriteParts(parts, style, html);
            WriteRemarks(result, isRanked, html);
            html.WriteEnvironment(machine, result.Fitness with { Warnings = [] });
            html.WriteCommand(result.Command);
        });
    }

    // What a reader decides by is on the first screen, and how to read it is below it.
    private static void WriteDecision(SuiteResult result, IReadOnlyList<BenchmarkResult> drawn, SeriesStyle style, HtmlWriter html)
    {
        MarkdownBlocks.WriteList(html, RankingSentences.Of(result));
        html.Element("p", RankingSentences.ConditionsOf(result), ("class", "soft"));
        html.Line();
        HtmlTable.Write(html, "Libraries", DecisionTable.Of(result, ofBaselines: false));
        using (html.BeginPlots())
        {
            foreach (BenchmarkResult benchmark in drawn)
            {
                RankingPlot.Write(benchmark, style, html);
            }
        }

        html.Element("p", $"The thin lines are comparison intervals: {ComparisonBar.Meaning} Pale bars are raw sockets, which are not ranked.");
        html.Line();
        MarkdownBlocks.WriteList(html, RankingSentences.UndecidedOf(result));
        if (DecisionTable.Of(result, ofBaselines: true) is { Rows.Count: > 0 } baselines)
        {
            HtmlTable.Write(html, DecisionTable.TitleOfBaselines, baselines);
        }

        html.Element("p", $"{DecisionTable.LegendOf(result)} First in counts the rankings in which no other library is surely better.");
        html.Line();
        MarkdownBlocks.WriteParagraph(html, SuitePage.MethodOf(result));
        MarkdownBlocks.Write(html, text => SuitePage.WriteMissing(result, text));
    }

    private static void WriteParts(IGrouping<string, (string Id, BenchmarkResult Benchmark)>[] parts, SeriesStyle style, HtmlWriter html)
    {
        foreach (IGrouping<string, (string Id, BenchmarkResult Benchmark)> part in parts)
        {
            using HtmlWriter.Scope section = html.BeginSection(part.Key);
            WriteRows(part.Key, [.. part.Select(found => found.Benchmark).Where(benchmark => benchmark.Row is not null)], html);
            foreach ((string id, BenchmarkResult benchmark) in part)
            {
                WriteBenchmark(id, benchmark, style, html);
            }
        }
    }

    private static void WriteValidity(SuiteResult result, HtmlWriter html)
    {
        string[] reasons =
        [
            .. from benchmark in result.Benchmarks
               from found in benchmark.Cases
               from reason in found.InvalidReasons
               select $"{benchmark.Title}, {found.Library}: {reason}",
        ];
        CaseResult[] cases = [.. result.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        int valid = cases.Count(found => found.Valid);
        html.Element("p", Invariant($"{valid:N0} of {cases.Length:N0} cases are valid."), ("class", valid == cases.Length ? "good" : "bad"));
        html.Line();
        if (reasons.Length > 0)
        {
            using HtmlWriter.Scope details = html.Begin("details");
            html.Element("summary", "Reasons of the invalid cases");
            MarkdownBlocks.WriteList(html, reasons);
        }
    }

    private static void WriteLinks((string Id, BenchmarkResult Benchmark)[] benchmarks, HtmlWriter html)
    {
        using HtmlWriter.Scope details = html.Begin("details");
        html.Element("summary", "Contents");
        using HtmlWriter.Scope navigation = html.Begin("nav", ("aria-label", "Benchmarks"));
        using HtmlWriter.Scope list = html.Begin("ul");
        foreach ((string id, string title) in benchmarks.Select(found => (found.Id, found.Benchmark.Title)).Append(("environment", "Environment")))
        {
            using HtmlWriter.Scope item = html.Begin("li");
            html.Element("a", title, ("href", $"#{id}"));
        }
    }

    private static void WriteRanking(
        SuiteResult result, IGrouping<string, (string Id, BenchmarkResult Benchmark)>[] parts, SeriesStyle style, HtmlWriter html)
    {
        if (parts.Length == 0)
        {
            return;
        }

        IReadOnlyList<BenchmarkResult>[] underLoss = [.. parts.Select(part => LossPicture.Of(part.Select(found => found.Benchmark)))];
        using HtmlWriter.Scope section = html.BeginSection(underLoss.All(drawn => drawn.Count > 0) ? "Deliveries" : "Ranking");
        if (!DecisionTable.Fits(result))
        {
            MarkdownBlocks.WriteParagraph(html, SuitePage.MethodOf(result));
        }

        foreach ((IGrouping<string, (string Id, BenchmarkResult Benchmark)> part, IReadOnlyList<BenchmarkResult> drawn) in parts.Zip(underLoss))
        {
            if (parts.Length > 1 || DecisionTable.Fits(result))
            {
                html.Element("h3", part.Key);
                html.Line();
            }

            using HtmlWriter.Scope plots = html.BeginPlots();
            if (drawn.Count > 0)
            {
                LossPlot.Write(drawn, style, html);
                continue;
            }

            foreach ((_, BenchmarkResult benchmark) in part)
            {
                RankingPlot.Write(benchmark, style, html);
            }
        }
    }

    private static void WriteRows(string part, IReadOnlyList<BenchmarkResult> rows, HtmlWriter html)
    {
        if (rows.Count > 0)
        {
            MarkdownBlocks.WriteParagraph(html, RowTables.MeaningOf(rows));
            HtmlTable.Write(html, part, RowTables.Of(rows));
        }
    }

    private static void WriteBenchmark(string id, BenchmarkResult benchmark, SeriesStyle style, HtmlWriter html)
    {
        using HtmlWriter.Scope section = html.BeginSection($"{benchmark.Title}{SuitePage.Load(benchmark)}", level: 3, id);
        if (benchmark.Cases.Any(found => found.MedianLaunch() is not null))
        {
            style.WriteLegend(benchmark.Cases.Select(found => found.Library), html);
            using HtmlWriter.Scope plots = html.BeginPlots();
            CasePlots.Write(benchmark, style, html);
        }

        foreach ((string title, TextTable table) in SuitePage.TablesOf(benchmark))
        {
            HtmlTable.Write(html, title, table);
        }

        if (ProfileLines.Of(benchmark) is { } profiles)
        {
            MarkdownBlocks.WriteParagraph(html, profiles);
        }

        foreach (CaseResult found in benchmark.Cases)
        {
            WriteCase(found, html);
        }

        if (benchmark.Cases.Select(found => found.MedianLaunch()).OfType<RunResult>().FirstOrDefault() is { } first)
        {
            using HtmlWriter.Scope details = html.Begin("details");
            html.Element("summary", "Load");
            MarkdownBlocks.Write(html, text => RunPage.WriteHeader(benchmark.Title, first, text));
        }
    }

    private static void WriteCase(CaseResult found, HtmlWriter html)
    {
        using HtmlWriter.Scope details = html.Begin("details");
        using (html.Begin("summary"))
        {
            html.Element("strong", found.Library);
            html.Text($": {SuitePage.Rate(found)}{(found.Summary is null ? string.Empty : " msg/s")}");
            if (!found.Valid)
            {
                html.Text(" ");
                html.Element("span", "invalid", ("class", "bad"));
            }
        }

        MarkdownBlocks.Write(html, text => SuitePage.WriteCaseBody(found, text));
    }

    private static void WriteRemarks(SuiteResult result, bool withValidity, HtmlWriter html)
    {
        using HtmlWriter.Scope section = html.BeginSection("Remarks");
        if (withValidity)
        {
            WriteValidity(result, html);
        }

        MarkdownBlocks.Write(html, text => SuitePage.WriteRemarks(result with { Aborted = false }, text));
        MarkdownBlocks.Write(html, text => SuitePage.WriteReasons(result, text));
        html.Element("p", "The curves, costs and details of a case are of its launch with the median rate. The rates of the other launches are in the plots.");
    }
}
