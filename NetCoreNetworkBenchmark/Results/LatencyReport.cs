using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>A distribution of times. The histogram is kept encoded, which takes 1 to 3 kB instead of 216 KiB: a benchmark has thousands of them.</summary>
/// <param name="Microseconds">The quoted values, in microseconds; null if nothing was recorded.</param>
/// <param name="Histogram">The histogram in nanoseconds, in HdrHistogram's compressed V2 encoding; null if nothing was recorded.</param>
/// <param name="Count">The number of times that were recorded.</param>
public sealed record LatencyReport(LatencySummary? Microseconds, string? Histogram, long Count = 0)
{
    /// <summary>Merges distributions. The mean, the minimum and the maximum stay exact, which the encoding alone would not allow.</summary>
    /// <exception cref="FormatException">A histogram cannot be read.</exception>
    /// <exception cref="OverflowException">The sum of all times is beyond 64 bits.</exception>
    public static LatencyReport Merge(IReadOnlyList<LatencyReport> reports)
    {
        var merged = new LatencyHistogram();
        double sum = 0;
        foreach (LatencyReport report in reports.Where(report => report.Microseconds is not null))
        {
            LatencyHistogram histogram = HistogramCodec.Decode(report.Histogram!);
            merged.Add(histogram);
            sum += report.Microseconds!.Mean * histogram.Count;
        }

        LatencyReport all = From(merged);
        return all.Microseconds is null
            ? all
            : all with
            {
                Microseconds = all.Microseconds with
                {
                    Mean = sum / merged.Count,
                    Min = reports.Min(report => report.Microseconds?.Min),
                    Max = reports.Max(report => report.Microseconds?.Max ?? 0),
                },
            };
    }

    /// <summary>The number of times below which the percentile with this share (0 to below 1) is the largest of them.</summary>
    internal static double MinCount(double share) => Math.Round(1 / (1 - share));

    public static LatencyReport From(LatencyHistogram histogram)
    {
        double At(double percentile) => histogram.ValueAtPercentile(percentile) / 1000.0;
        return histogram.Count == 0 ? new LatencyReport(null, null) : new LatencyReport(
            new LatencySummary(histogram.Mean / 1000, At(50), At(90), At(95), At(99), At(99.9), At(99.99), histogram.Max / 1000.0)
            {
                Min = histogram.Min / 1000.0,
            },
            HistogramCodec.Encode(histogram))
        {
            Count = histogram.Count,
        };
    }
}

/// <summary>A part of the latencies, such as the handshake of a connection, or the distribution of a workload's other times, such as that of a burst.</summary>
/// <param name="Name">The name.</param>
/// <param name="Latency">The distribution.</param>
public sealed record NamedLatency(string Name, LatencyReport Latency);

/// <summary>A distribution of latencies, in microseconds.</summary>
/// <param name="Mean">The arithmetic mean.</param>
/// <param name="P50">The median.</param>
/// <param name="P90">The 90th percentile.</param>
/// <param name="P95">The 95th percentile.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="P999">The 99.9th percentile.</param>
/// <param name="P9999">The 99.99th percentile.</param>
/// <param name="Max">The largest value.</param>
public sealed record LatencySummary(double Mean, double P50, double P90, double P95, double P99, double P999, double P9999, double Max)
{
    /// <summary>The smallest value; null if it is not known.</summary>
    [JsonPropertyOrder(-1)]
    public double? Min { get; init; }
}
