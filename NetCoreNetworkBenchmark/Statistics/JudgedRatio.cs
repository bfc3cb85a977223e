namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A ratio of which more is better, and the one rule by which all comparisons judge it.</summary>
/// <remarks>
/// A threshold t gives the limits 1 - t and 1 / (1 - t), which are the same distance as a ratio, like the 0.80 and 1.25 of bioequivalence for 20 %. So "no
/// difference was found" is never read as "there is none": Same is the rule of two one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and
/// Biopharmaceutics 15), each at 2.5 %, so that the verdict can be checked against the printed interval.
/// </remarks>
/// <param name="Lower">The lower end of the 95 % interval; null if there is none.</param>
/// <param name="StandardError">The standard error of the ratio's logarithm; null if it is not known.</param>
internal abstract record JudgedRatio(double Ratio, double? Lower, double? Upper, double? StandardError)
{
    // The most that --launches takes.
    private const int MaxLaunches = 1_000;

    /// <summary>Two-sided, if the true ratio is at the threshold; 1 within it, and without an interval.</summary>
    /// <param name="threshold">The difference that does not matter; 0 for none.</param>
    public abstract double PValueAt(double threshold);

    /// <returns>The interval; null if the figures are too few for this confidence.</returns>
    public abstract RatioInterval? IntervalAt(double confidence);

    /// <param name="confidence">The confidence of the interval that decides among all ratios that are judged together (<see cref="HolmProcedure"/>).</param>
    public Verdict Judge(double confidence, double threshold)
    {
        RatioInterval? decisive = IntervalAt(confidence);
        return decisive?.Upper < 1 - threshold ? Verdict.Slower
            : decisive?.Lower > 1 / (1 - threshold) ? Verdict.Faster
            : Lower > 1 - threshold && Upper < 1 / (1 - threshold) ? Verdict.Same
            : Verdict.Undecided;
    }

    /// <summary>The half width falls with the square root of launches or sets that scatter as these do. One standard error is allowed for chance.</summary>
    /// <returns>A rounded number above that of the smaller side; null if these launches show no scatter.</returns>
    public int? LaunchesToDecide(double confidence, double threshold, int oldLaunches, int newLaunches)
    {
        if (StandardError is not { } error)
        {
            return null;
        }

        double limit = -Math.Log(1 - threshold);
        double beyond = Math.Abs(Math.Log(Ratio)) - limit;

        // A ratio near the limit may be there by chance. Within the limits, none is farther from them than 1.
        double distance = beyond > 0 ? beyond + error : Math.Min(limit, error - beyond);
        double deviation = error / Math.Sqrt((1.0 / oldLaunches) + (1.0 / newLaunches));
        bool Decide(int count)
        {
            double expected = deviation * Math.Sqrt(2.0 / count);
            return HasInterval(count, confidence) && expected + StudentInterval.HalfWidth(expected, 2 * (count - 1), confidence) <= distance;
        }

        int launches = RoundedAbove(Math.Min(oldLaunches, newLaunches));
        while (launches < MaxLaunches && !Decide(launches))
        {
            launches = RoundedAbove(launches);
        }

        return launches;
    }

    protected virtual bool HasInterval(int launches, double confidence) => true;

    private static int RoundedAbove(int launches) => launches < 10 ? launches + 1 : launches < 50 ? launches - (launches % 5) + 5 : 2 * launches;
}
