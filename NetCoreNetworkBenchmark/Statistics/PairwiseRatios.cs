using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Every new launch against every old one, and what the distribution of Mann and Whitney's U makes of it. The estimate and the
/// interval come from the same ordered ratios, so they never contradict each other.
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

    // Perfolizer's Cdf is the chance of less than its argument.
    private double AtMost(int u) => _old + _new <= MostForExact
        ? MannWhitneyLoefflerExactCdf.Instance.Cdf(_old, _new, u + 1)
        : MannWhitneyEdgeworthApproxCdf.Instance.Cdf(_old, _new, u + 1);
}
