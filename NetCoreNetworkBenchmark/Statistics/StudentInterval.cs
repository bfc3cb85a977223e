using Perfolizer.Mathematics.Distributions.ContinuousDistributions;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>Student's t interval (Student 1908, Biometrika 6) of the geometric mean of figures: that of the mean of their logarithms.</summary>
internal static class StudentInterval
{
    /// <summary>Returns half of the width of the interval of a mean.</summary>
    /// <param name="standardError">The standard error of the mean.</param>
    /// <param name="degrees">The degrees of freedom of the standard error.</param>
    /// <param name="confidence">The coverage, between 0 and 1.</param>
    public static double HalfWidth(double standardError, double degrees, double confidence) =>
        new StudentDistribution(degrees).Quantile((1 + confidence) / 2) * standardError;

    /// <summary>Returns the interval; null for fewer than two figures.</summary>
    public static Interval? Of(ReadOnlySpan<double> figures, double confidence)
    {
        int count = figures.Length;
        if (count < 2)
        {
            return null;
        }

        double sum = 0;
        foreach (double figure in figures)
        {
            sum += Math.Log(figure);
        }

        double mean = sum / count;
        double squares = 0;
        foreach (double figure in figures)
        {
            squares += Math.Pow(Math.Log(figure) - mean, 2);
        }

        double half = HalfWidth(Math.Sqrt(squares / (count - 1) / count), count - 1, confidence);
        return new Interval(Math.Exp(mean - half), Math.Exp(mean + half), confidence);
    }
}
