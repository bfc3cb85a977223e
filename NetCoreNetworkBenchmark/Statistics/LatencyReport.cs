using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A distribution: the quoted values, with the exact mean, minimum and maximum, and the whole distribution, encoded.</summary>
/// <param name="Summary">The quoted values; null if nothing was recorded.</param>
/// <param name="Histogram">The encoded distribution; null if nothing was recorded.</param>
internal sealed record LatencyReport(LatencySummary? Summary, string? Histogram)
{
    /// <summary>Merges distributions. The mean, the minimum and the maximum stay exact, which the encoding alone would not allow.</summary>
    public static LatencyReport Merge(IReadOnlyList<LatencyReport> reports)
    {
        var merged = new LatencyHistogram();
        double sum = 0;
        foreach (LatencyReport report in reports.Where(report => report.Summary is not null))
        {
            LatencyHistogram histogram = HistogramCodec.Decode(report.Histogram!);
            merged.Add(histogram);
            sum += report.Summary!.Mean * histogram.Count;
        }

        LatencyReport found = Of(merged);
        return found.Summary is null
            ? found
            : found with
            {
                Summary = found.Summary with
                {
                    Mean = sum / merged.Count,
                    Min = reports.Min(report => report.Summary?.Min),
                    Max = reports.Max(report => report.Summary?.Max ?? 0),
                },
            };
    }

    public static LatencyReport Of(LatencyHistogram histogram)
    {
        double At(double percentile) => histogram.ValueAtPercentile(percentile) / 1000.0;
        return histogram.Count == 0 ? new LatencyReport(null, null) : new LatencyReport(
            new LatencySummary(histogram.Mean / 1000, At(50), At(90), At(95), At(99), At(99.9), At(99.99), histogram.Max / 1000.0)
            {
                Min = histogram.Min / 1000.0,
            },
            HistogramCodec.Encode(histogram));
    }
}
