using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The search for the highest rate: the result, and the curve behind it.</summary>
internal static class SweepPage
{
    private static readonly string[] s_header = ["holds", "rate msg/s", "p50 µs", "p99 µs", "p99.9 µs", "lost", "why not"];

    public static void Write(SweepResult result, TextWriter writer)
    {
        writer.WriteHeader($"Sweep of {result.Library}", result.HarnessVersion, machine: null);
        writer.WriteParagraphs(ConclusionOf(result));
        writer.WriteLine();
        writer.WriteTable(TableOf(result));
        writer.WriteAborted(result.Aborted, "the sweep before its time.");
    }

    /// <summary>Returns the result in a sentence.</summary>
    public static string ConclusionOf(SweepResult result) => result.HighestRate is { } rate
        ? Invariant($"Highest rate with {string.Join(", ", result.Limits)} and nothing lost: **{rate:N0} msg/s**. {result.Conclusion}")
        : $"No rate held {string.Join(", ", result.Limits)} with nothing lost. {result.Conclusion}";

    /// <summary>Returns the table, with a row for each run.</summary>
    public static TextTable TableOf(SweepResult result) => new(1, s_header, [.. result.Points.Select(Row)]);

    private static string[] Row(SweepPoint point)
    {
        LatencySummary? latency = point.Result?.LatencyMicroseconds;
        return
        [
            point.Holds ? "yes" : "no", Figure(point.Rate), Figure(latency?.P50), Figure(latency?.P99), Figure(latency?.P999), Figure(point.Result?.Lost),
            point.Reason ?? string.Empty,
        ];
    }
}
