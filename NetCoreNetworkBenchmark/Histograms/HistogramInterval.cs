namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>What was recorded in one interval of a histogram log.</summary>
/// <param name="Tag">Which of several series the interval belongs to; null where there is one alone. No comma, space or line break.</param>
/// <param name="Start">When it began.</param>
/// <param name="Length">How long it was.</param>
/// <param name="Histogram">What was recorded in it, and no other interval.</param>
public sealed record HistogramInterval(string? Tag, DateTimeOffset Start, TimeSpan Length, LatencyHistogram Histogram);
