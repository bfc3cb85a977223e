using Perfolizer.Mathematics.SignificanceTesting.MannWhitney;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// The ratios of every new launch to every old one, with the distribution of Mann and Whitney's U. The estimate and the
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

    /// <summary>Returns the estimate of Hodges and Lehmann on logarithms.</summary>
    public double Median() => Math.Exp(Figures.MedianOf(_logarithms));

    /// <summary>Returns the k-th ratio from each end, with k as large as 95 % allows; null if not even the outermost ratios reach it.</summary>
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

    // Perfolizer's Cdf is the probability of a value below its argument.
    private double AtMost(int u) => _old + _new <= MostForExact
        ? MannWhitneyLoefflerExactCdf.Instance.Cdf(_old, _new, u + 1)
        : MannWhitneyEdgeworthApproxCdf.Instance.Cdf(_old, _new, u + 1);
}
