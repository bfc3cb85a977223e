using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The ranking: a short table for each benchmark, the highest rate first, for a person at a terminal.</summary>
internal static class RankingPage
{
    private static readonly string[] s_header = ["Library", "msg/s", "95 % interval", "p99", "server CPU a message", "valid"];

    public static void Write(SuiteResult result, TextWriter writer)
    {
        writer.WriteLine(result.LaunchCount == 1
            ? "A first look: one short launch of each case, the fastest first. An interval takes several launches, so small differences mean nothing."
            : Invariant($"Medians of {result.LaunchCount} launches, with their 95 % confidence interval between launches, the fastest first."));
        foreach (BenchmarkResult benchmark in result.Benchmarks)
        {
            CaseResult[] ranked = [.. benchmark.Cases.OrderByDescending(found => found.Summary?.MessagesPerSecond.Median ?? -1)];
            SuitePage.WriteTitle(benchmark, writer);
            writer.WriteTable(textColumns: 1, s_header, ranked.Select(Row));
            writer.WriteParagraphs(
                ranked.SelectMany(found => found.InvalidReasons.Select(reason => $"Invalid: {benchmark.Title}, {found.Library}: {reason}")));
        }

        SuitePage.WriteRemarks(result, writer);
    }

    private static string[] Row(CaseResult found) =>
    [
        found.Library,
        SuitePage.Rate(found),
        Interval(found.Summary?.MessagesPerSecond.Lower, found.Summary?.MessagesPerSecond.Upper, "N0"),
        Figure(found.Summary?.P99Microseconds.Median, "N0", " µs"),
        Figure(found.Summary?.ServerCpuMicroseconds?.Median, "N3", " µs"),
        found.Valid ? "yes" : "no",
    ];
}
