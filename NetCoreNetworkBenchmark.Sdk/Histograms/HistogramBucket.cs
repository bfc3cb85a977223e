namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>Values that a histogram does not distinguish, and the number of them that were recorded.</summary>
/// <param name="Lowest">The smallest value of the bucket (HdrHistogram's <c>lowestEquivalentValue</c>).</param>
/// <param name="Highest">The largest value of the bucket (HdrHistogram's <c>highestEquivalentValue</c>).</param>
/// <param name="Count">The number of values that were recorded in it.</param>
public readonly record struct HistogramBucket(long Lowest, long Highest, long Count)
{
    /// <summary>The value in the middle, rounded up (HdrHistogram's <c>medianEquivalentValue</c>).</summary>
    public long Median => Lowest + ((Highest - Lowest + 1) >> 1);
}
