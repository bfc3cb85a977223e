using Perfolizer.Mathematics.Distributions.ContinuousDistributions;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A ratio of several sets. It has no interval for one set, nor for a case and itself.</summary>
/// <param name="Ratio">The geometric mean of the sets' ratios.</param>
/// <param name="Degrees">The degrees of freedom of the standard error; null if there is no interval.</param>
internal sealed record SetRatio(double Ratio, double? Lower, double? Upper, double? StandardError, double? Degrees)
    : JudgedRatio(Ratio, Lower, Upper, StandardError)
{
    /// <summary>Of independent ratios. The degrees of freedom are those of Welch 1947 (The Generalization of Student's Problem, Biometrika 34).</summary>
    public static SetRatio Quotient(SetRatio dividend, SetRatio divisor)
    {
        double ratio = dividend.Ratio / divisor.Ratio;
        if (dividend is not { StandardError: { } one, Degrees: { } ofOne } || divisor is not { StandardError: { } other, Degrees: { } ofOther })
        {
            return new SetRatio(ratio, null, null, null, null);
        }

        double variance = (one * one) + (other * other);
        double degrees = variance > 0 ? variance * variance / ((Math.Pow(one, 4) / ofOne) + (Math.Pow(other, 4) / ofOther)) : ofOne + ofOther;
        return From(ratio, Math.Sqrt(variance), degrees);
    }

    public static SetRatio MeanOf(IReadOnlyList<double> sets)
    {
        double[] logarithms = [.. sets.Select(figure => Math.Log(figure))];
        (double mean, int degrees) = (logarithms.Average(), logarithms.Length - 1);
        return degrees == 0
            ? new SetRatio(Math.Exp(mean), null, null, null, null)
            : From(Math.Exp(mean), Math.Sqrt(TrimmedMean.SquaresOf(logarithms) / degrees / logarithms.Length), degrees);
    }

    /// <summary>Half the width of the 95 % interval on a logarithmic scale; null if there is no interval.</summary>
    public double? HalfWidth => Upper is { } upper ? Math.Log(upper / Ratio) : null;

    public override double PValueAt(double threshold)
    {
        double beyond = Math.Abs(Math.Log(Ratio)) + Math.Log(1 - threshold);
        return this is not { StandardError: { } error, Degrees: { } degrees } || beyond <= 0 ? 1
            : error > 0 ? 2 * new StudentDistribution(degrees).Cdf(-beyond / error) : 0;
    }

    public override RatioInterval? IntervalAt(double confidence) =>
        this is { StandardError: { } error, Degrees: { } degrees } ? IntervalOf(Ratio, error, degrees, confidence) : null;

    public static SetRatio Inverse(SetRatio ratio) =>
        new(1 / ratio.Ratio, 1 / ratio.Upper, 1 / ratio.Lower, ratio.StandardError, ratio.Degrees);

    public static SetRatio From(double ratio, double standardError, double degrees)
    {
        RatioInterval interval = IntervalOf(ratio, standardError, degrees, Interval.Confidence);
        return new SetRatio(ratio, interval.Lower, interval.Upper, standardError, degrees);
    }

    private static RatioInterval IntervalOf(double ratio, double standardError, double degrees, double confidence)
    {
        // Wider intervals exclude no ratio either, and their ends would not be positive numbers.
        const double Widest = 300;
        double half = Math.Min(StudentInterval.HalfWidth(standardError, degrees, confidence), Widest);
        return new RatioInterval(ratio * Math.Exp(-half), ratio * Math.Exp(half), confidence);
    }
}
