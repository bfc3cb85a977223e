namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>The values that were recorded in one interval of a histogram log.</summary>
/// <param name="Tag">The series that the interval belongs to; null if there is only one. No comma, space or line break.</param>
/// <param name="Start">The start of the interval.</param>
/// <param name="Length">The length of the interval.</param>
/// <param name="Histogram">The values that were recorded in this interval, and in no other.</param>
public sealed record HistogramInterval(string? Tag, DateTimeOffset Start, TimeSpan Length, LatencyHistogram Histogram)
{
    /// <summary>The identity of the measurement, which is in a comment before the interval; null if the log does not have it.</summary>
    public Guid? Id { get; init; }
}
