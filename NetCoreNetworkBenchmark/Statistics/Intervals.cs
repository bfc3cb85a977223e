using Perfolizer.Mathematics.Distributions.ContinuousDistributions;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>The 95 % interval of the median of launches. <see cref="LaunchStatistics"/> describes the method and the reason for it.</summary>
internal static class MedianInterval
{
    /// <summary>Five launches cover 1 - 2^-4 = 93.75 % from the smallest to the largest, six cover 96.9 %.</summary>
    public const int FewestForRanks = 6;

    public static Interval? From(double[] sorted) =>
        sorted.Length < FewestForRanks ? StudentInterval.From(sorted, Interval.Confidence) : OfRanks(sorted);

    private static Interval OfRanks(double[] sorted)
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

/// <summary>Student's t interval (Student 1908, Biometrika 6) of the geometric mean of figures: that of the mean of their logarithms.</summary>
internal static class StudentInterval
{
    public static double HalfWidth(double standardError, double degrees, double confidence) =>
        new StudentDistribution(degrees).Quantile((1 + confidence) / 2) * standardError;

    public static Interval? From(double[] figures, double confidence)
    {
        int count = figures.Length;
        if (count < 2)
        {
            return null;
        }

        double[] logarithms = [.. figures.Select(figure => Math.Log(figure))];
        double mean = logarithms.Average();
        double half = HalfWidth(Math.Sqrt(TrimmedMean.SquaresOf(logarithms) / (count - 1) / count), count - 1, confidence);
        return new Interval(Math.Exp(mean - half), Math.Exp(mean + half), confidence);
    }
}

internal readonly record struct Interval(double Lower, double Upper, double Coverage)
{
    /// <summary>The coverage of the intervals that are reported of every figure.</summary>
    public const double Confidence = 0.95;
}
