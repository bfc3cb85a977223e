using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Every new launch against every old one, and what the distribution of Mann and Whitney's U makes of it. The estimate, the interval and
/// the p value come from the same ordered ratios, so they never contradict each other.
/// </summary>
internal sealed class PairwiseRatios
{
    /// <summary>Up to this many launches Perfolizer's exact distribution stays within 64 bits.</summary>
    private const int MostForExact = 60;

    private readonly int _old;
    private readonly int _new;
    private readonly double[] _logarithms;

    public PairwiseRatios(double[] oldLaunches, double[] newLaunches)
    {
        (_old, _new) = (oldLaunches.Length, newLaunches.Length);
        _logarithms = [.. from before in oldLaunches from after in newLaunches select Math.Log(after) - Math.Log(before)];
        Array.Sort(_logarithms);
    }

    /// <summary>The estimate of Hodges and Lehmann on logarithms.</summary>
    public double Median() => Math.Exp(Figures.MedianOf(_logarithms));

    /// <summary>The k-th ratio from each end, k as large as 95 % allows; null where not even the outermost ones reach it.</summary>
    public Interval? ConfidenceInterval()
    {
        int outside = 0;
        while (2 * AtMost(outside) <= 1 - Interval.Confidence)
        {
            outside++;
        }

        return outside == 0 ? null : new Interval(
            Math.Exp(_logarithms[outside - 1]),
            Math.Exp(_logarithms[^outside]),
            1 - (2 * AtMost(outside - 1)));
    }

    /// <summary>Two-sided, with ties counted against a difference.</summary>
    public double PValue()
    {
        int notAbove = _logarithms.Count(logarithm => logarithm <= 0);
        int notBelow = _logarithms.Count(logarithm => logarithm >= 0);
        int smaller = Math.Min(notAbove, notBelow);

        // From the middle on, twice the tail is more than everything.
        return 2 * smaller >= _logarithms.Length ? 1 : Math.Min(1, 2 * AtMost(smaller));
    }

    // Perfolizer's Cdf is the chance of less than its argument.
    private double AtMost(int u) => _old + _new <= MostForExact
        ? MannWhitneyLoefflerExactCdf.Instance.Cdf(_old, _new, u + 1)
        : MannWhitneyEdgeworthApproxCdf.Instance.Cdf(_old, _new, u + 1);
}
