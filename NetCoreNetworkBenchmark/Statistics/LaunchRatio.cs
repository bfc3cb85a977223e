using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>The ratio of the launches of one case after a change to those before it, for a figure of which more is better (messages per second).</summary>
/// <remarks>
/// All n times m ratios of a new launch to an old one are put in order. Their median is the ratio (Hodges &amp; Lehmann 1963, Annals of Mathematical
/// Statistics 34, on logarithms). The k-th ratios from each end are an interval, where k is the largest that the distribution of U allows for its confidence
/// (Mann &amp; Whitney 1947, Annals of Mathematical Statistics 18; the interval is by Moses, see Hollander, Wolfe &amp; Chicken 2014, Nonparametric
/// Statistical Methods, 4.3). For 95 % it needs 4 and 4 launches, or 3 and 5, or 2 and 8; for 99 %, 5 and 5. It assumes that the change multiplies the
/// figure. It assumes nothing about the distribution of launches: modes make the interval wide, not wrong. The distribution of U is exact up to 60 launches on
/// both sides together. Beyond that it is Edgeworth's approximation, which is good to four digits if each side has five launches.
/// </remarks>
internal sealed record LaunchRatio : JudgedRatio
{
    // Up to this many launches Perfolizer's exact distribution stays within 64 bits.
    private const int MaxForExact = 60;

    private readonly double[] _logarithms;
    private readonly int _oldCount;
    private readonly int _newCount;

    private LaunchRatio(double[] logarithms, int oldCount, int newCount, RatioInterval? usual, double? standardError)
        : base(Math.Exp(Figures.MedianOf(logarithms)), usual?.Lower, usual?.Upper, standardError) =>
        (_logarithms, _oldCount, _newCount) = (logarithms, oldCount, newCount);

    /// <param name="oldLaunches">In any order, positive and finite.</param>
    public static LaunchRatio From(IReadOnlyList<double> oldLaunches, IReadOnlyList<double> newLaunches)
    {
        double[] before = Figures.Sorted(oldLaunches, nameof(oldLaunches));
        double[] after = Figures.Sorted(newLaunches, nameof(newLaunches));

        // The ratio and its intervals come from the same ordered ratios, so they never contradict each other.
        double[] logarithms = [.. (from old in before from now in after select Math.Log(now) - Math.Log(old)).Order()];
        return new LaunchRatio(
            logarithms, before.Length, after.Length, IntervalOf(logarithms, before.Length, after.Length, Interval.Confidence), ErrorOf(before, after));
    }

    public override double PValueAt(double threshold)
    {
        int notSlower = _logarithms.Count(logarithm => Math.Exp(logarithm) >= 1 - threshold);
        int notFaster = _logarithms.Count(logarithm => Math.Exp(logarithm) <= 1 / (1 - threshold));
        int against = Math.Min(notSlower, notFaster);
        return 2 * against >= _logarithms.Length ? 1 : 2 * ChanceOfU(against, _oldCount, _newCount);
    }

    public override RatioInterval? IntervalAt(double confidence) => IntervalOf(_logarithms, _oldCount, _newCount, confidence);

    protected override bool HasInterval(int launches, double confidence) => 2 * ChanceOfU(0, launches, launches) <= 1 - confidence;

    // For forecasts alone: no interval assumes that launches are normal.
    private static double? ErrorOf(double[] before, double[] after)
    {
        int degrees = before.Length + after.Length - 2;
        return degrees == 0
            ? null
            : Math.Sqrt((SquaresOf(before) + SquaresOf(after)) / degrees * ((1.0 / before.Length) + (1.0 / after.Length)));

        static double SquaresOf(double[] figures) => TrimmedMean.SquaresOf([.. figures.Select(figure => Math.Log(figure))]);
    }

    private static RatioInterval? IntervalOf(double[] logarithms, int oldCount, int newCount, double confidence)
    {
        int outside = 0;
        while (2 * ChanceOfU(outside, oldCount, newCount) <= 1 - confidence)
        {
            outside++;
        }

        return outside == 0 ? null : new RatioInterval(Math.Exp(logarithms[outside - 1]), Math.Exp(logarithms[^outside]), confidence);
    }

    // The chance that U is at most a number. Perfolizer's Cdf is that of a value below its argument.
    private static double ChanceOfU(int atMost, int oldCount, int newCount) => oldCount + newCount <= MaxForExact
        ? MannWhitneyLoefflerExactCdf.Instance.Cdf(oldCount, newCount, atMost + 1)
        : MannWhitneyEdgeworthApproxCdf.Instance.Cdf(oldCount, newCount, atMost + 1);
}
