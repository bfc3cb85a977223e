namespace NetCoreNetworkBenchmark.Plans;

/// <summary>An upper bound for a percentile of the round trips.</summary>
/// <param name="Percentile">The percentile; above 0, at most 100. 100 is the maximum.</param>
/// <param name="Bound">The longest round trip at that percentile.</param>
/// <param name="Text">The text as the user wrote it, such as p99=5ms.</param>
public sealed record LatencyLimit(double Percentile, TimeSpan Bound, string Text)
{
    /// <summary>The percentile's name, such as p99.9.</summary>
    public string Name => string.Create(CultureInfo.InvariantCulture, $"p{Percentile:0.####}");
}
