using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The ranking: a short table for each benchmark, the highest rate first, for a person at a terminal.</summary>
internal static class RankingPage
{
    private static readonly string[] s_header = ["Library", "msg/s", "p99", "server CPU a message", "valid"];

    public static void Write(SuiteResult result, TextWriter writer)
    {
        writer.WriteLine($"A first look, the fastest first. {RankingTable.MethodOf(result)}");
        foreach (BenchmarkResult benchmark in result.Benchmarks)
        {
            SuitePage.WriteTitle(benchmark, writer);
            writer.WriteTable(RankingTable.Of(benchmark, s_header, textColumns: 1, Row));
            writer.WriteParagraphs(benchmark.Cases.SelectMany(
                found => found.InvalidReasons.Select(reason => $"Invalid: {benchmark.Title}, {found.Library}: {reason}")));
        }

        SuitePage.WriteRemarks(result, writer);
    }

    private static string[] Row(CaseResult found) =>
    [
        found.Library,
        SuitePage.Rate(found),
        Figure(found.Summary?.P99Microseconds.Median, "N0", " µs"),
        Figure(found.Summary?.ServerCpuMicroseconds?.Median, "N3", " µs"),
        found.Valid ? "yes" : "no",
    ];
}
