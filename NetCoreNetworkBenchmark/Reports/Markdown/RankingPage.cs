using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The ranking: a short table for each benchmark, the best library first, for a person at a terminal.</summary>
internal static class RankingPage
{
    private static readonly string[] s_header = ["Library", "p99"];

    public static void Write(SuiteResult result, TextWriter writer)
    {
        writer.WriteLine($"A first look. {RankingSentences.ConditionsOf(result)}");
        WriteTables(result, writer);
        writer.WriteParagraphs(result.Benchmarks.SelectMany(RankingSentences.UndecidedOf));
        writer.WriteParagraphs(RankingTable.MethodOf(result));
        SuitePage.WriteRemarks(result, writer);
        SuitePage.WriteMissing(result, writer);
    }

    /// <summary>Writes what a person decides by: a sentence and a table for each benchmark.</summary>
    public static void WriteTables(SuiteResult result, TextWriter writer)
    {
        foreach (BenchmarkResult benchmark in result.Benchmarks.Where(benchmark => benchmark.Floor is not null && benchmark.Row is null))
        {
            SuitePage.WriteTitle(benchmark, writer);
            writer.WriteLines(RankingSentences.Of(benchmark) is { } sentence ? [sentence, string.Empty] : []);
            writer.WriteTable(RankingTable.Of(benchmark, s_header, textColumns: 1, Row));
            writer.WriteParagraphs(benchmark.Cases.SelectMany(
                found => found.InvalidReasons.Select(reason => $"Invalid: {benchmark.Title}, {found.Library}: {reason}")));
        }

        writer.WriteParagraphs(RankingSentences.FirstsOf(result) is { } firsts ? [firsts] : []);
    }

    private static string[] Row(CaseResult found) => [found.Library, Figure(found.Summary?.P99Microseconds?.Median, "N0", " µs")];
}
