using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Ranks cases by their ratio to the floor. In each set of processes all cases took turns with the floor, so each set gives one ratio of each case.
/// </summary>
/// <remarks>
/// <para>
/// A figure is the geometric mean of the sets' ratios. The set is the unit of repetition, so the differences between sets contain both the noise of the
/// slices and the effect of a start (see <see cref="RatioEstimate"/>). The interval is Student's t interval of the logarithms with the moderated variance
/// of <see cref="VariancePrior"/>: with three sets, a variance of the case alone would make the interval more than twice as wide as the truth needs.
/// </para>
/// <para>
/// Two cases differ if the 95 % interval of their own ratio, which is formed in the same way, does not contain 1. A rank ends where every case above
/// differs from every case below. So two cases without a significant difference always share a rank.
/// </para>
/// </remarks>
internal sealed class Ranking
{
    private readonly IReadOnlyList<IReadOnlyDictionary<int, double>> _cases;
    private readonly VariancePrior? _prior;

    /// <summary>Creates the ranking of one benchmark.</summary>
    /// <param name="cases">The ratio of each case to the floor, positive and finite, by the number of the set. The ratios of the floor itself are 1.</param>
    /// <param name="common">The distribution of the variances if the cases are too few to show their own; null if it is not known.</param>
    public Ranking(IReadOnlyList<IReadOnlyDictionary<int, double>> cases, VariancePrior? common = null)
    {
        _cases = cases;
        _prior = VariancePrior.Of(VariancesOf(cases)) ?? common;
    }

    /// <summary>Returns the variances of the logarithms of the cases' ratios, with their degrees of freedom. The floor has none.</summary>
    /// <param name="cases">The ratios of the cases of one or more benchmarks.</param>
    public static IReadOnlyList<(double Variance, double Degrees)> VariancesOf(IEnumerable<IReadOnlyDictionary<int, double>> cases) =>
    [
        .. from ratios in cases
           where ratios.Count > 1 && ratios.Values.Any(ratio => ratio != 1)
           let logarithms = Logarithms(ratios.Values)
           select (VarianceOf(logarithms), logarithms.Length - 1.0),
    ];

    /// <summary>Estimates the ratio of a case to the floor.</summary>
    /// <param name="of">The index of the case.</param>
    /// <returns>The estimate; null if no set has a ratio.</returns>
    public SetRatio? RatioOf(int of) => Estimate([.. _cases[of].Values]);

    /// <summary>Returns the rank of each case, from 1; null for a case without a ratio.</summary>
    public IReadOnlyList<int?> Ranks()
    {
        int[] order = [.. Enumerable.Range(0, _cases.Count).Where(index => _cases[index].Count > 0).OrderByDescending(index => RatioOf(index)!.Ratio)];
        var ranks = new int?[_cases.Count];
        int rank = 1;
        for (int place = 0; place < order.Length; place++)
        {
            if (order[..place].All(above => order[place..].All(below => Differ(above, below))))
            {
                rank = place + 1;
            }

            ranks[order[place]] = rank;
        }

        return ranks;
    }

    private bool Differ(int one, int other) => Estimate(
        [
            .. from set in _cases[one].Keys.Intersect(_cases[other].Keys)
               select _cases[one][set] / _cases[other][set],
        ]) is { } found && (found.Lower > 1 || found.Upper < 1);

    private SetRatio? Estimate(double[] ratios)
    {
        if (ratios.Length == 0)
        {
            return null;
        }

        double[] logarithms = Logarithms(ratios);
        double ratio = Math.Exp(logarithms.Average());
        double freedom = ratios.Length - 1;
        if (ratios.Length < 2 || ratios.All(found => found == 1))
        {
            return new SetRatio(ratio, null, null, null, null);
        }

        double variance = VarianceOf(logarithms);
        if (_prior is not null)
        {
            (variance, freedom) = _prior.Moderate(variance, freedom);
        }

        return SetRatio.Of(ratio, Math.Sqrt(variance / ratios.Length), freedom);
    }

    private static double[] Logarithms(IEnumerable<double> ratios) => [.. ratios.Select(ratio => Math.Log(ratio))];

    private static double VarianceOf(double[] logarithms)
    {
        double mean = logarithms.Average();
        return logarithms.Sum(logarithm => Math.Pow(logarithm - mean, 2)) / (logarithms.Length - 1);
    }
}

/// <summary>A ratio of several sets.</summary>
/// <param name="Ratio">The geometric mean of the sets' ratios.</param>
/// <param name="Lower">The lower end of the 95 % interval; null for one set, and for the floor itself.</param>
/// <param name="Upper">The upper end of the 95 % interval; null for one set, and for the floor itself.</param>
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

    /// <summary>Judges a quotient.</summary>
    /// <param name="threshold">The least difference that matters.</param>
    /// <param name="comparisons">
    /// The number of comparisons that are judged together. The chance that one or more of equal figures are called different is 5 % at most, by the
    /// inequality of Bonferroni (Dunn 1961, Multiple Comparisons Among Means, Journal of the American Statistical Association 56).
    /// </param>
    public Verdict Judge(double threshold, int comparisons) => this is { StandardError: { } error, Degrees: { } degrees }
        ? RatioEstimate.Judge(
            Ratio,
            IntervalOf(Ratio, error, degrees, Interval.Confidence),
            IntervalOf(Ratio, error, degrees, 1 - ((1 - Interval.Confidence) / comparisons)),
            threshold)
        : Verdict.Inconclusive;

    /// <summary>Creates a ratio with its interval.</summary>
    public static SetRatio Of(double ratio, double standardError, double degrees)
    {
        Interval interval = IntervalOf(ratio, standardError, degrees, Interval.Confidence);
        return new SetRatio(ratio, interval.Lower, interval.Upper, standardError, degrees);
    }

    /// <summary>Returns Student's interval of a ratio whose logarithm has a standard error.</summary>
    public static Interval IntervalOf(double ratio, double standardError, double degrees, double confidence)
    {
        double half = StudentInterval.HalfWidth(standardError, degrees, confidence);
        return new Interval(ratio * Math.Exp(-half), ratio * Math.Exp(half), confidence);
    }
}
