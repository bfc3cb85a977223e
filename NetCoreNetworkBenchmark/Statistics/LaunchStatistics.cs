namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// What several launches of one case say together. A launch, which is a process of its own, gives one figure. Iterations within a launch
/// are correlated, so they say nothing of what the next launch will give.
/// </summary>
/// <remarks>
/// <para>
/// The interval is one of two. From six launches on it is the order-statistic (sign test) interval of the median: the closest pair of
/// the k-th smallest and the k-th largest launch that still covers 95 %, as the number of launches below the median is binomial (n, 1/2)
/// whatever the distribution. It asks only that launches are independent, so modes do no harm (Conover 1999, Practical Nonparametric
/// Statistics, 3.2).
/// </para>
/// <para>
/// With fewer launches no interval from ranks reaches 95 %: from the smallest to the largest of n launches covers 1 - 2^(1-n), 93.75 %
/// for five, and the signed-rank interval has the same limit. So two to five launches get Student's t interval (Student 1908) on the
/// logarithms, which covers 95 % of a log-normal figure's median. With one launch in three in a mode 1.6 times slower it covered 87, 93,
/// 95 and 92 % for two, three, four and five launches in a simulation: read it together with <see cref="Modes"/>.
/// </para>
/// </remarks>
public sealed record LaunchStatistics
{
    /// <summary>The number of launches.</summary>
    public required int Count { get; init; }

    /// <summary>The median of the launches, in their unit; the mean of the two middle ones where their number is even.</summary>
    public required double Median { get; init; }

    /// <summary>The lower end of the confidence interval of the median; null for one launch.</summary>
    public required double? Lower { get; init; }

    /// <summary>The upper end of the confidence interval of the median; null for one launch.</summary>
    public required double? Upper { get; init; }

    /// <summary>
    /// The coverage of the interval, from 0 to 1: the exact one from six launches on, 0.95 if the figures are log-normal for fewer; null
    /// for one launch.
    /// </summary>
    public required double? Coverage { get; init; }

    /// <summary>
    /// The modes, the lowest first: one that holds all launches, or several where the launches fall into clearly separate groups.
    /// </summary>
    public required IReadOnlyList<LaunchMode> Modes { get; init; }

    /// <summary>Half the width of the interval for each unit of the median, such as 0.03 for 3 %; null for one launch.</summary>
    public double? RelativeWidth => (Upper - Lower) / 2 / Median;

    /// <summary>Sums up launches of one case.</summary>
    /// <param name="launches">A figure for each launch, in any order, positive and finite.</param>
    /// <returns>Median, interval and modes.</returns>
    /// <exception cref="ArgumentException">There is no launch.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A figure is not positive and finite.</exception>
    public static LaunchStatistics Of(IReadOnlyList<double> launches)
    {
        double[] sorted = Figures.Sorted(launches, nameof(launches));
        Interval? interval = MedianInterval.Of(sorted);
        return new LaunchStatistics
        {
            Count = sorted.Length,
            Median = Figures.MedianOf(sorted),
            Lower = interval?.Lower,
            Upper = interval?.Upper,
            Coverage = interval?.Coverage,
            Modes = GapRule.ModesOf(sorted),
        };
    }
}
