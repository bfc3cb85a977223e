using Perfolizer.Mathematics.Distributions.ContinuousDistributions;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A ratio of several sets.</summary>
/// <param name="Ratio">The geometric mean of the sets' ratios.</param>
/// <param name="Lower">The lower end of the 95 % interval; null for one set, and for a case and itself.</param>
/// <param name="Upper">The upper end of the 95 % interval; null for one set, and for the baseline itself.</param>
/// <param name="StandardError">The standard error of the ratio's logarithm; null if there is no interval.</param>
/// <param name="Degrees">The degrees of freedom of the standard error; null if there is no interval.</param>
internal sealed record SetRatio(double Ratio, double? Lower, double? Upper, double? StandardError, double? Degrees)
{
    /// <summary>
    /// Divides two independent ratios. The degrees of freedom are those of Welch 1947 (The Generalization of Student's Problem when Several Different
    /// Population Variances are Involved, Biometrika 34).
    /// </summary>
    /// <returns>The quotient; without an interval if one of the ratios has none.</returns>
    public static SetRatio Quotient(SetRatio dividend, SetRatio divisor)
    {
        double ratio = dividend.Ratio / divisor.Ratio;
        if (dividend is not { StandardError: { } one, Degrees: { } ofOne } || divisor is not { StandardError: { } other, Degrees: { } ofOther })
        {
            return new SetRatio(ratio, null, null, null, null);
        }

        double variance = (one * one) + (other * other);
        double degrees = variance * variance / ((Math.Pow(one, 4) / ofOne) + (Math.Pow(other, 4) / ofOther));
        return Of(ratio, Math.Sqrt(variance), degrees);
    }

    /// <summary>Half the width of the 95 % interval on a logarithmic scale; null if there is no interval.</summary>
    public double? HalfWidth => Upper is { } upper ? Math.Log(upper / Ratio) : null;

    /// <summary>
    /// The chance of a ratio as far from 1 as this one, or farther, to either side, if the true one is at the threshold; 1 within it, and without an interval.
    /// </summary>
    /// <param name="threshold">The difference that does not matter; 0 for none. The limits 1 - t and 1 / (1 - t) are the same distance as a ratio.</param>
    public double ChanceWithin(double threshold)
    {
        double beyond = Math.Abs(Math.Log(Ratio)) + Math.Log(1 - threshold);
        return this is not { StandardError: { } error, Degrees: { } degrees } || beyond <= 0 ? 1
            : error > 0 ? 2 * new StudentDistribution(degrees).Cdf(-beyond / error) : 0;
    }

    public RatioInterval? IntervalAt(double confidence)
    {
        if (this is not { StandardError: { } error, Degrees: { } degrees })
        {
            return null;
        }

        Interval interval = IntervalOf(Ratio, error, degrees, confidence);
        return new RatioInterval(interval.Lower, interval.Upper, confidence);
    }

    /// <param name="confidence">The confidence of the interval that decides among all ratios that are judged together (<see cref="HolmProcedure"/>).</param>
    /// <inheritdoc cref="Interval.Judge"/>
    public Verdict Judge(double confidence, double threshold) => this is { StandardError: { } error, Degrees: { } degrees }
        ? Interval.Judge(IntervalOf(Ratio, error, degrees, confidence), IntervalOf(Ratio, error, degrees, Interval.Confidence), threshold)
        : Verdict.Undecided;

    public static SetRatio Inverse(SetRatio ratio) =>
        new(1 / ratio.Ratio, 1 / ratio.Upper, 1 / ratio.Lower, ratio.StandardError, ratio.Degrees);

    public static SetRatio Of(double ratio, double standardError, double degrees)
    {
        Interval interval = IntervalOf(ratio, standardError, degrees, Interval.Confidence);
        return new SetRatio(ratio, interval.Lower, interval.Upper, standardError, degrees);
    }

    public static Interval IntervalOf(double ratio, double standardError, double degrees, double confidence)
    {
        double half = StudentInterval.HalfWidth(standardError, degrees, confidence);
        return new Interval(ratio * Math.Exp(-half), ratio * Math.Exp(half), confidence);
    }
}
