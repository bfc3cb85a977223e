namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>The 95 % interval of the median of launches. <see cref="LaunchStatistics"/> describes the method and the reason for it.</summary>
internal static class MedianInterval
{
    /// <summary>Five launches cover 1 - 2^-4 = 93.75 % from the smallest to the largest, six cover 96.9 %.</summary>
    private const int FewestForRanks = 6;

    public static Interval? Of(ReadOnlySpan<double> sorted) => sorted.Length switch
    {
        < FewestForRanks => StudentInterval.Of(sorted, Interval.Confidence),
        _ => OfRanks(sorted),
    };

    private static Interval OfRanks(ReadOnlySpan<double> sorted)
    {
        int count = sorted.Length;
        int outside = 0;

        // With 'outside' launches cut at each end: the chance that the median is among the cut ones, on one side.
        double tail = Math.Pow(0.5, count);
        double term = tail;
        while (true)
        {
            term *= (double)(count - outside) / (outside + 1);
            if (2 * (tail + term) > 1 - Interval.Confidence)
            {
                return new Interval(sorted[outside], sorted[count - 1 - outside], 1 - (2 * tail));
            }

            tail += term;
            outside++;
        }
    }
}
