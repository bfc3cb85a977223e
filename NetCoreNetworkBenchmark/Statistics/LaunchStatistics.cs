namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>A launch, which is a process of its own, gives one figure: iterations within a launch are correlated and do not predict the next launch.</summary>
/// <remarks>
/// The interval is one of two. From six launches on it is the order-statistic (sign test) interval of the median: the closest pair of the k-th smallest and
/// the k-th largest launch that still covers 95 %. The number of launches below the median is binomial (n, 1/2) for any distribution. The interval only
/// requires that launches are independent, so modes do no harm (Conover 1999, Practical Nonparametric Statistics, 3.2). With fewer launches no interval from
/// ranks reaches 95 %: that from the smallest to the largest of n launches covers 1 - 2^(1-n), 93.75 % for five, and the signed-rank interval has the same
/// limit. So two to five launches get Student's t interval (Student 1908) on the logarithms, which covers 95 % of a log-normal figure's median. With one
/// launch in three in a mode 1.6 times slower it covered 87, 93, 95 and 92 % for two, three, four and five launches in a simulation. Therefore read it
/// together with <see cref="Modes"/>.
/// </remarks>
/// <param name="Median">In the launches' unit; the mean of the two middle ones if their number is even.</param>
/// <param name="Lower">Of the confidence interval of the median; null for one launch.</param>
/// <param name="Coverage">Of the interval, from 0 to 1: exact from six launches on, for fewer 0.95 if the figures are log-normal. Null for one launch.</param>
/// <param name="Modes">The modes, the lowest first: one that contains all launches, or several if the launches fall into clearly separate groups.</param>
public sealed record LaunchStatistics(int Count, double Median, double? Lower, double? Upper, double? Coverage, IReadOnlyList<SpreadMode> Modes)
{
    /// <param name="launches">A figure for each launch, in any order, positive and finite.</param>
    /// <exception cref="ArgumentException">There is no launch.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A figure is not positive and finite.</exception>
    public static LaunchStatistics From(IReadOnlyList<double> launches)
    {
        double[] sorted = Figures.Sorted(launches, nameof(launches));
        Interval? interval = MedianInterval.From(sorted);
        return new LaunchStatistics(
            sorted.Length, Figures.MedianOf(sorted), interval?.Lower, interval?.Upper, interval?.Coverage, ModeDetector.ModesOf(sorted));
    }
}

/// <summary>
/// Perfolizer's LowlandModalityDetector is not suitable: it reads a density of a hundred bins, which needs many samples. For the mode below it found none in
/// up to ten launches, and one in thirty in twenty. Neighbours in order that are a factor of 1.25 apart belong to different modes, if every such gap is at
/// least twice as wide, as a ratio, as any mode, and if there are two launches for a mode on average. If not, the gap is noise, and there is one mode. In a
/// simulation of log-normal launches the rule found modes that did not exist in less than 0.1 % of cases at 5 % noise, in 8, 4 and 2 % of cases of three,
/// four and five launches at 10 % noise, and more at still greater noise: three figures are not enough to decide. A mode of a third of three to fifteen
/// launches, 1.6 times slower, was found in 99 % of cases at 3 % noise.
/// </summary>
internal static class ModeDetector
{
    private const double MinFactor = 1.25;
    private const double GapToWidth = 2;

    public static IReadOnlyList<SpreadMode> ModesOf(double[] sorted)
    {
        List<Range> groups = [.. GroupsOf(sorted)];
        return AreModes(sorted, groups)
            ? [.. groups.Select(group => ModeOf(sorted.AsSpan(group)))]
            : [ModeOf(sorted)];
    }

    private static IEnumerable<Range> GroupsOf(double[] sorted)
    {
        int begin = 0;
        for (int next = 1; next < sorted.Length; next++)
        {
            if (sorted[next] / sorted[next - 1] >= MinFactor)
            {
                yield return begin..next;
                begin = next;
            }
        }

        yield return begin..sorted.Length;
    }

    private static bool AreModes(double[] sorted, List<Range> groups)
    {
        if (groups.Count == 1 || groups.Count > (sorted.Length + 1) / 2)
        {
            return false;
        }

        double narrowest = groups.Skip(1).Min(group => Math.Log(sorted[group.Start] / sorted[group.Start.Value - 1]));
        double widest = groups.Max(group => Math.Log(sorted[group.End.Value - 1] / sorted[group.Start]));
        return narrowest >= GapToWidth * widest;
    }

    private static SpreadMode ModeOf(ReadOnlySpan<double> sorted) => new(Figures.MedianOf(sorted), sorted.Length);
}

/// <summary>The methods in this folder work on logarithms, so all figures must be positive and finite.</summary>
internal static class Figures
{
    public static double[] Sorted(IReadOnlyList<double> figures, string name)
    {
        ArgumentNullException.ThrowIfNull(figures, name);
        if (figures.Count == 0)
        {
            throw new ArgumentException("There must be at least one launch.", name);
        }

        if (figures.Any(figure => !double.IsFinite(figure) || figure <= 0))
        {
            throw new ArgumentOutOfRangeException(name, "The figure of a launch must be positive and finite.");
        }

        double[] sorted = [.. figures];
        Array.Sort(sorted);
        return sorted;
    }

    public static double MedianOf(ReadOnlySpan<double> sorted)
    {
        double upper = sorted[sorted.Length / 2];
        return sorted.Length % 2 == 1 ? upper : (sorted[(sorted.Length / 2) - 1] + upper) / 2;
    }
}
