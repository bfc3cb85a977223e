using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Compares the launches of one case before and after a change, for a figure of which more is better (messages per second).
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
/// Undecided. So "no difference was found" is never read as "there is none". Same is the rule of two one-sided tests (Schuirmann 1987,
/// Journal of Pharmacokinetics and Biopharmaceutics 15), each at 2.5 %, so that the verdict can be checked against the printed interval. Each
/// wrong verdict has a chance of at most 2.5 %: Slower for a figure that is not slower by the threshold, Faster likewise, and Same for a
/// figure that is not the same.
/// </para>
/// </remarks>
/// <param name="OldMedian">The median of the old launches.</param>
/// <param name="NewMedian">The median of the new launches.</param>
/// <param name="Ratio">New divided by old: 0.8 is a loss of 20 %. It is the median of all quotients, not the quotient of the medians.</param>
/// <param name="Lower">The lower end of the interval of <paramref name="Ratio"/>; null if the launches are too few for 95 %.</param>
/// <param name="Upper">The upper end of the interval of <paramref name="Ratio"/>; null if the launches are too few for 95 %.</param>
/// <param name="Coverage">The coverage that the distribution of U gives the interval, from 0.95 to 1; null if there is no interval.</param>
/// <param name="Verdict">The verdict.</param>
public sealed record Comparison(
    double OldMedian, double NewMedian, double Ratio, double? Lower, double? Upper, double? Coverage, Verdict Verdict)
{
    /// <summary>Up to this many launches Perfolizer's exact distribution stays within 64 bits.</summary>
    private const int MostForExact = 60;

    /// <summary>Compares the launches of one case.</summary>
    /// <param name="oldLaunches">A figure for each launch before the change, in any order, positive and finite.</param>
    /// <param name="newLaunches">A figure for each launch after the change; the numbers of launches may differ.</param>
    /// <param name="threshold">The loss that matters, between 0 and 1: 0.1 is 10 %.</param>
    /// <returns>The ratio, the interval and the verdict.</returns>
    /// <exception cref="ArgumentException">There is no launch on one side.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A figure is not positive and finite, or the threshold is not between 0 and 1.</exception>
    public static Comparison Of(IReadOnlyList<double> oldLaunches, IReadOnlyList<double> newLaunches, double threshold)
    {
        if (threshold is not (> 0 and < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(threshold), threshold, "The threshold must be between 0 and 1.");
        }

        double[] before = Figures.Sorted(oldLaunches, nameof(oldLaunches));
        double[] after = Figures.Sorted(newLaunches, nameof(newLaunches));

        // The estimate and the interval come from the same ordered ratios, so they never contradict each other. Perfolizer's SimpleEquivalenceTest is no rule
        // for a verdict: it returns "indistinguishable" whenever it finds no difference, even in noise.
        double[] ratios = [.. from old in before from now in after select Math.Log(now) - Math.Log(old)];
        Array.Sort(ratios);
        Interval? interval = IntervalOf(ratios, before.Length, after.Length);
        return new Comparison(
            Figures.MedianOf(before),
            Figures.MedianOf(after),
            Math.Exp(Figures.MedianOf(ratios)),
            interval?.Lower,
            interval?.Upper,
            interval?.Coverage,
            Interval.Judge(interval, interval, threshold));
    }

    // The k-th ratio from each end, with k as large as 95 % allows; null if not even the outermost ratios reach it.
    private static Interval? IntervalOf(double[] logarithms, int oldCount, int newCount)
    {
        // The probability that U is at most a number. Perfolizer's Cdf is that of a value below its argument.
        double AtMost(int u) => oldCount + newCount <= MostForExact
            ? MannWhitneyLoefflerExactCdf.Instance.Cdf(oldCount, newCount, u + 1)
            : MannWhitneyEdgeworthApproxCdf.Instance.Cdf(oldCount, newCount, u + 1);

        int outside = 0;
        while (2 * AtMost(outside) <= 1 - Interval.Confidence)
        {
            outside++;
        }

        return outside == 0
            ? null
            : new Interval(Math.Exp(logarithms[outside - 1]), Math.Exp(logarithms[^outside]), 1 - (2 * AtMost(outside - 1)));
    }
}
