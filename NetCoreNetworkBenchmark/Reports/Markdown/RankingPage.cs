using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The ranking: a short table for each benchmark, the highest rate first, for a person at a terminal.</summary>
internal static class RankingPage
{
    public static void Write(SuiteResult result, TextWriter writer)
    {
        writer.WriteLine(result.LaunchCount == 1
            ? "A first look: one short launch of each case, the fastest first. An interval takes several launches, so small differences mean nothing."
            : Invariant($"Medians of {result.LaunchCount} launches, with their 95 % confidence interval between launches, the fastest first."));
        foreach (BenchmarkResult benchmark in result.Benchmarks)
        {
            WriteTable(benchmark, writer);
        }

        SuitePage.WriteRemarks(result, writer);
    }

    private static void WriteTable(BenchmarkResult benchmark, TextWriter writer)
    {
        writer.WriteLine();
        writer.WriteLine($"**{benchmark.Title}**{SuitePage.Load(benchmark)}");
        writer.WriteLine();
        var table = new MarkdownTable(["Library", "msg/s", "95 % interval", "p99", "server CPU a message", "valid"], textColumns: 1);
        CaseResult[] ranked = [.. benchmark.Cases.OrderByDescending(found => found.Summary?.MessagesPerSecond.Median ?? -1)];
        foreach (CaseResult found in ranked)
        {
            CaseSummary? summary = found.Summary;
            table.Add(
            [
                found.Library,
                summary is null ? found.Launches.Count == 0 ? "not run" : "failed" : Median(summary.MessagesPerSecond, "N0"),
                Interval(summary?.MessagesPerSecond.Lower, summary?.MessagesPerSecond.Upper, "N0"),
                Median(summary?.P99Microseconds, "N0", " µs"),
                Median(summary?.ServerCpuMicroseconds, "N3", " µs"),
                found.Valid ? "yes" : "no",
            ]);
        }

        table.Write(writer);
        foreach ((CaseResult found, string reason) in ranked.SelectMany(found => found.InvalidReasons.Select(reason => (found, reason))))
        {
            writer.WriteLine();
            writer.WriteLine($"Invalid: {benchmark.Title}, {found.Library}: {reason}");
        }
    }
}
