using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// The ratio of two cases that took turns, from several fresh sets of processes, each of which gives one ratio.
/// </summary>
/// <remarks>
/// <para>
/// The estimate is the geometric mean of the sets' ratios, and the interval is Student's t interval of their logarithms (Student 1908, Biometrika 6). A set
/// is the unit of repetition: its ratio contains the noise of its slices and the effect of its start (address layout, compilation), so the interval
/// contains both (Kalibera &amp; Jones 2013, Rigorous Benchmarking in Reasonable Time, ISMM, with the highest level of repetition as the unit). Slices are
/// no unit: those of one set share its start.
/// </para>
/// <para>
/// A case is Slower or Faster if the 99 % interval does not contain 1 and the estimate differs from 1 by the threshold or more. It is Same if the 95 %
/// interval lies within the threshold to either side. Otherwise, it is Inconclusive: no difference was found, which does not show that there is none.
/// So two equal cases are called different in at most 1 % of comparisons, and in fewer with a threshold above the noise. With the verdict on a second
/// figure (<see cref="Together"/>) it is at most 2 %.
/// </para>
/// </remarks>
public sealed record RatioEstimate
{
    // The coverage of the interval that a difference must not contain.
    private const double Certainty = 0.99;

    /// <summary>The number of sets.</summary>
    public required int Count { get; init; }

    /// <summary>The geometric mean of the sets' ratios.</summary>
    public required double Ratio { get; init; }

    /// <summary>The lower end of the 95 % interval; null for one set.</summary>
    public required double? Lower { get; init; }

    /// <summary>The upper end of the 95 % interval; null for one set.</summary>
    public required double? Upper { get; init; }

    /// <summary>The verdict.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>Estimates a ratio.</summary>
    /// <param name="ratios">The ratio of each set, in any order, positive and finite.</param>
    /// <param name="threshold">The least difference that matters, between 0 and 1: 0.02 is 2 %.</param>
    /// <returns>The estimate, its interval and the verdict.</returns>
    /// <exception cref="ArgumentException">There is no ratio.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A ratio is not positive and finite, or the threshold is not between 0 and 1.</exception>
    public static RatioEstimate Of(IReadOnlyList<double> ratios, double threshold)
    {
        if (threshold is not (> 0 and < 1))
        {
            throw new ArgumentOutOfRangeException(nameof(threshold), threshold, "The threshold must be between 0 and 1.");
        }

        double[] sorted = Figures.Sorted(ratios, nameof(ratios));
        double ratio = Math.Exp(sorted.Average(found => Math.Log(found)));
        Interval? interval = StudentInterval.Of(sorted, Interval.Confidence);
        return new RatioEstimate
        {
            Count = sorted.Length,
            Ratio = ratio,
            Lower = interval?.Lower,
            Upper = interval?.Upper,
            Verdict = Judge(ratio, interval, StudentInterval.Of(sorted, Certainty), threshold),
        };
    }

    /// <summary>
    /// The verdict on two builds by two figures. A difference of the rate counts first. Otherwise, a difference of the messages per CPU second of the server
    /// counts: on a machine that the clients share, the rate shows only a part of it, with more noise.
    /// </summary>
    /// <param name="rate">The verdict on the messages per second.</param>
    /// <param name="perCpuSecond">The verdict on the messages per CPU second of the server; null if its CPU time was not measured.</param>
    public static Verdict Together(Verdict rate, Verdict? perCpuSecond) =>
        rate is not (Verdict.Slower or Verdict.Faster) && perCpuSecond is Verdict.Slower or Verdict.Faster ? perCpuSecond.Value : rate;

    // The limits 1 - t and 1 / (1 - t) are the same distance as a ratio.
    internal static Verdict Judge(double ratio, Interval? interval, Interval? certain, double threshold) =>
        certain is { Upper: < 1 } && ratio <= 1 - threshold ? Verdict.Slower
        : certain is { Lower: > 1 } && ratio >= 1 / (1 - threshold) ? Verdict.Faster
        : interval is { } found && found.Lower > 1 - threshold && found.Upper < 1 / (1 - threshold) ? Verdict.Same
        : Verdict.Inconclusive;
}
