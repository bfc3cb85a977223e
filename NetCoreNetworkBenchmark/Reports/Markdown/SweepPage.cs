using NetCoreNetworkBenchmark.Results;
using static NetCoreNetworkBenchmark.Reports.Markdown.Format;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The search for the highest rate: the result, and the curve behind it.</summary>
internal static class SweepPage
{
    public static void Write(SweepResult result, TextWriter writer)
    {
        writer.WriteHeader($"Sweep of {result.Library}", result.HarnessVersion, machine: null);
        writer.WriteLine();
        writer.WriteLine(result.HighestRate is { } rate
            ? Invariant($"Highest rate with {string.Join(", ", result.Limits)} and nothing lost: **{rate:N0} msg/s**. {result.Conclusion}")
            : $"No rate held {string.Join(", ", result.Limits)} with nothing lost. {result.Conclusion}");
        writer.WriteLine();
        var table = new MarkdownTable(["holds", "rate msg/s", "p50 µs", "p99 µs", "p99.9 µs", "lost", "why not"], textColumns: 1);
        foreach (SweepPoint point in result.Points)
        {
            LatencySummary? latency = point.Result?.LatencyMicroseconds;
            table.Add(
            [
                point.Holds ? "yes" : "no",
                Invariant($"{point.Rate:N0}"),
                latency is null ? "-" : Invariant($"{latency.P50:N0}"),
                latency is null ? "-" : Invariant($"{latency.P99:N0}"),
                latency is null ? "-" : Invariant($"{latency.P999:N0}"),
                point.Result is null ? "-" : Invariant($"{point.Result.Lost:N0}"),
                point.Reason ?? string.Empty,
            ]);
        }

        table.Write(writer);
        writer.WriteParagraphs(result.Aborted ? ["**Aborted:** the user ended the sweep before its time."] : []);
    }
}
