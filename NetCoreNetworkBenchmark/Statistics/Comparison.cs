using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Compares the launches of one case before and after a change, for a figure of which more is better (messages a second).
/// </summary>
/// <remarks>
/// <para>
/// All n times m ratios of a new launch to an old one are put in order. Their median is <see cref="Ratio"/> (Hodges &amp; Lehmann 1963,
/// Annals of Mathematical Statistics 34, on logarithms). The k-th ratios from each end are the interval, where k is the largest that the
/// distribution of U allows for 95 % (Mann &amp; Whitney 1947, Annals of Mathematical Statistics 18; the interval is by Moses, see
/// Hollander, Wolfe &amp; Chicken 2014, Nonparametric Statistical Methods, 4.3). It needs 4 and 4 launches, or 3 and 5, or 2 and 8. It
/// assumes that the change multiplies the figure. It assumes nothing about the distribution of launches: modes make the interval wide, not
/// wrong. The distribution of U is exact up to 60 launches on both sides together. Beyond that it is Edgeworth's approximation, which is good
/// to four digits if each side has five launches.
/// </para>
/// <para>
/// A threshold t gives the limits 1 - t and 1 / (1 - t), which are the same distance as a ratio, like the 0.80 and 1.25 of bioequivalence
/// for 20 %. An interval below, above or between the limits is Slower, Faster or Same. An interval that contains a limit, or no interval, is
/// Inconclusive. So "no difference was found" is never read as "there is none". Same is the rule of two one-sided tests (Schuirmann 1987,
/// Journal of Pharmacokinetics and Biopharmaceutics 15), each at 2.5 %, so that the verdict can be checked against the printed interval. Each
/// wrong verdict has a chance of at most 2.5 %: Slower for a figure that is not slower by the threshold, Faster likewise, and Same for a
/// figure that is not the same.
/// </para>
/// </remarks>
public sealed record Comparison
{
    /// <summary>The median of the old launches.</summary>
    public required double OldMedian { get; init; }

    /// <summary>The median of the new launches.</summary>
    public required double NewMedian { get; init; }

    /// <summary>New divided by old: 0.8 is a loss of 20 %. It is the median of all quotients, not the quotient of the medians.</summary>
    public required double Ratio { get; init; }

    /// <summary>The lower end of the interval of <see cref="Ratio"/>; null if the launches are too few for 95 %.</summary>
    public required double? Lower { get; init; }

    /// <summary>The upper end of the interval of <see cref="Ratio"/>; null if the launches are too few for 95 %.</summary>
    public required double? Upper { get; init; }

    /// <summary>The coverage that the distribution of U gives the interval, from 0.95 to 1; null if there is no interval.</summary>
    public required double? Coverage { get; init; }

    /// <summary>The verdict.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Compares the launches of one case.</summary>
    /// <param name="oldLaunches">A figure for each launch before the change, in any order, positive and finite.</param>
    /// <param name="newLaunches">A figure for each launch after the change; the numbers of launches may differ.</param>
    /// <param name="threshold">The loss that matters, between 0 and 1: 0.1 is 10 %.</param>
    /// <returns>The ratio, the interval and the verdict.</returns>
    /// <exception cref="ArgumentException">There is no launch on one side.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// A figure is not positive and finite, or the threshold is not between 0 and 1.
    /// </exception>
    public static Comparison Of(IReadOnlyList<double> oldLaunches, IReadOnlyList<double> newLaunches, double threshold)
    {
        if (threshold is not (> 0 and < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(threshold), threshold, "The threshold must be between 0 and 1.");
        }

        double[] before = Figures.Sorted(oldLaunches, nameof(oldLaunches));
        double[] after = Figures.Sorted(newLaunches, nameof(newLaunches));
        var ratios = new PairwiseRatios(before, after);
        Interval? interval = ratios.ConfidenceInterval();
        return new Comparison
        {
            OldMedian = Figures.MedianOf(before),
            NewMedian = Figures.MedianOf(after),
            Ratio = ratios.Median(),
            Lower = interval?.Lower,
            Upper = interval?.Upper,
            Coverage = interval?.Coverage,
            Verdict = Judge(interval, threshold),
        };
    }

    // Perfolizer's SimpleEquivalenceTest is not such a rule. It returns "indistinguishable" whenever it finds no difference, even in noise,
    // and takes an estimate of ten thresholds for a difference without a test.
    private static Verdict Judge(Interval? interval, double threshold) => interval switch
    {
        { Upper: var upper } when upper < 1 - threshold => Verdict.Slower,
        { Lower: var lower } when lower > 1 / (1 - threshold) => Verdict.Faster,
        { Lower: var lower, Upper: var upper } when lower > 1 - threshold && upper < 1 / (1 - threshold) => Verdict.Same,
        _ => Verdict.Inconclusive,
    };
}
