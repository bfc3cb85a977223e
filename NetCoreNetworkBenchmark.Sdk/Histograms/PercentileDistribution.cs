namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// Writes a histogram as the text (<c>.hgrm</c>) that HdrHistogram's plotters read. The text is identical, character for character, to the
/// output of <c>outputPercentileDistribution</c> (https://github.com/HdrHistogram/HdrHistogram, <c>AbstractHistogram</c>).
/// </summary>
/// <remarks>
/// All figures are HdrHistogram's, from the buckets: a value and the maximum are the highest of their bucket; mean and standard
/// deviation are computed from the middles of the buckets. <see cref="LatencyHistogram.Max"/> and <see cref="LatencyHistogram.Mean"/> are exact
/// and may differ from them by up to 0.1 %.
/// </remarks>
public static class PercentileDistribution
{
    private const int TicksPerHalfDistance = 5;

    /// <summary>Writes the distribution. Its lines are ended by a line feed.</summary>
    /// <param name="histogram">The histogram, which is no longer written to.</param>
    /// <param name="writer">The output.</param>
    /// <param name="unitRatio">The nanoseconds in the written unit, at least 1: 1,000 for microseconds.</param>
    /// <exception cref="ArgumentOutOfRangeException">The ratio is less than 1.</exception>
    public static void Write(LatencyHistogram histogram, TextWriter writer, double unitRatio = 1000)
    {
        if (!(unitRatio >= 1))
        {
            throw new ArgumentOutOfRangeException(nameof(unitRatio), unitRatio, "The unit is at least one nanosecond.");
        }

        writer.Write($"{"Value",12} {"Percentile",14} {"TotalCount",10} {"1/(1-Percentile)",14}\n\n");
        WriteLines(histogram, writer, unitRatio);
        WriteFooter(histogram, writer, unitRatio);
    }

    /// <summary>
    /// Returns the standard deviation of all values in nanoseconds, each taken as the middle of its bucket (HdrHistogram's
    /// <c>getStdDeviation</c>).
    /// </summary>
    /// <param name="histogram">The histogram, which is no longer written to.</param>
    /// <returns>The standard deviation in nanoseconds; 0 if no value was recorded.</returns>
    public static double StandardDeviation(LatencyHistogram histogram)
    {
        double mean = BucketMean(histogram);
        double squares = histogram.RecordedBuckets().Sum(bucket => (bucket.Median - mean) * (bucket.Median - mean) * bucket.Count);
        return histogram.Count == 0 ? 0 : Math.Sqrt(squares / histogram.Count);
    }

    private static double BucketMean(LatencyHistogram histogram) => histogram.Count == 0
        ? 0
        : histogram.RecordedBuckets().Sum(bucket => bucket.Median * (double)bucket.Count) / histogram.Count;

    private static void WriteLines(LatencyHistogram histogram, TextWriter writer, double unitRatio)
    {
        double level = 0;
        long cumulative = 0;
        foreach (HistogramBucket bucket in histogram.RecordedBuckets())
        {
            cumulative += bucket.Count;
            bool isLast = cumulative == histogram.Count;
            string value = Fixed(bucket.Highest / unitRatio, 3);
            while (100.0 * cumulative / histogram.Count >= level)
            {
                writer.Write($"{value,12} {Fixed(level / 100, 12)} {Whole(cumulative),10} {Fixed(1 / (1 - (level / 100)), 2),14}\n");
                level = NextLevel(level);
                if (isLast)
                {
                    // The last value is written once more, as the value of 100 %.
                    writer.Write($"{value,12} {Fixed(1, 12)} {Whole(cumulative),10}\n");
                    return;
                }
            }
        }
    }

    // Each half of the distance to 100 % is crossed in five steps of the same size. The products are computed as in the original,
    // so that both round alike.
    private static double NextLevel(double level)
    {
        long ticks = TicksPerHalfDistance * (long)Math.Pow(2, (long)(Math.Log(100.0 / (100.0 - level)) / Math.Log(2)) + 1);
        return level + (100.0 / ticks);
    }

    private static void WriteFooter(LatencyHistogram histogram, TextWriter writer, double unitRatio)
    {
        string mean = Fixed(BucketMean(histogram) / unitRatio, 3);
        string deviation = Fixed(StandardDeviation(histogram) / unitRatio, 3);
        string max = Fixed(histogram.RecordedBuckets().LastOrDefault().Highest / unitRatio, 3);
        writer.Write($"#[Mean    = {mean,12}, StdDeviation   = {deviation,12}]\n");
        writer.Write($"#[Max     = {max,12}, Total count    = {Whole(histogram.Count),12}]\n");
        writer.Write($"#[Buckets = {Whole(BucketLayout.Latency.Buckets),12}, SubBuckets     = {Whole(BucketLayout.Latency.SubBuckets),12}]\n");
    }

    private static string Whole(long number) => number.ToString(CultureInfo.InvariantCulture);

    // Java rounds the printed digits, a half up. .NET rounds the binary number, which may lie a little below the half.
    private static string Fixed(double number, int decimals)
    {
        decimal digits = decimal.Parse(number.ToString("R", CultureInfo.InvariantCulture), NumberStyles.Float, CultureInfo.InvariantCulture);
        return Math.Round(digits, decimals, MidpointRounding.AwayFromZero).ToString($"F{decimals}", CultureInfo.InvariantCulture);
    }
}
