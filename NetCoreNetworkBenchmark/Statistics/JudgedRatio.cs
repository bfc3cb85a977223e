namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A ratio of which more is better, and the one rule by which all comparisons judge it.</summary>
/// <remarks>
/// A threshold t gives the limits 1 - t and 1 / (1 - t), which are the same distance as a ratio, like the 0.80 and 1.25 of bioequivalence for 20 %. So "no
/// difference was found" is never read as "there is none": Same is the rule of two one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and
/// Biopharmaceutics 15), each at 2.5 %, so that the verdict can be checked against the printed interval.
/// </remarks>
/// <param name="Lower">The lower end of the 95 % interval; null if there is none.</param>
/// <param name="Upper">The upper end of the 95 % interval; null if there is none.</param>
internal abstract record JudgedRatio(double Ratio, double? Lower, double? Upper)
{
    /// <summary>
    /// Returns the chance of a ratio as far from 1 as this one, or farther, to either side, if the true one is at the threshold; 1 within it, and without an
    /// interval.
    /// </summary>
    /// <param name="threshold">The difference that does not matter; 0 for none.</param>
    public abstract double ChanceWithin(double threshold);

    /// <returns>The interval; null if the figures are too few for this confidence.</returns>
    public abstract RatioInterval? IntervalAt(double confidence);

    /// <summary>Slower or Faster if the interval that decides is beyond the threshold, Same if the 95 % interval is within it, otherwise Undecided.</summary>
    /// <param name="confidence">The confidence of the interval that decides among all ratios that are judged together (<see cref="HolmProcedure"/>).</param>
    /// <param name="threshold">The difference that does not matter.</param>
    public Verdict Judge(double confidence, double threshold)
    {
        RatioInterval? decisive = IntervalAt(confidence);
        return decisive?.Upper < 1 - threshold ? Verdict.Slower
            : decisive?.Lower > 1 / (1 - threshold) ? Verdict.Faster
            : Lower > 1 - threshold && Upper < 1 / (1 - threshold) ? Verdict.Same
            : Verdict.Undecided;
    }
}
