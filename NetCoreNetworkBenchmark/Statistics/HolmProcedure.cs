namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Decides which of several ratios that are judged together differ from 1 by more than a threshold. The chance that one or more of those that do not are
/// called different is at most the level, whatever the comparisons have in common (Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure,
/// Scandinavian Journal of Statistics 6).
/// </summary>
internal static class HolmProcedure
{
    /// <summary>The chance of one wrong difference or more in a whole ranking, which a reader takes as one statement.</summary>
    public const double RankingLevel = 0.05;

    /// <summary>As above, in a comparison of two results or builds, which is repeated for every change, and which a false alarm stops.</summary>
    public const double ComparisonLevel = 0.01;

    /// <param name="ratios">A ratio without an interval, or null, shows no difference.</param>
    public static IReadOnlyList<bool> Decide(IReadOnlyList<JudgedRatio?> ratios, double threshold = 0, double level = ComparisonLevel)
    {
        double[] pValues = [.. ratios.Select(ratio => ratio?.PValueAt(threshold) ?? 1)];
        var differs = new bool[ratios.Count];
        int left = pValues.Length;
        foreach (int index in Enumerable.Range(0, pValues.Length).OrderBy(index => pValues[index]))
        {
            if (pValues[index] > level / left)
            {
                break;
            }

            differs[index] = true;
            left--;
        }

        return differs;
    }

    /// <summary>At this confidence, an interval is beyond the threshold exactly if its ratio was decided: that of the last step of the procedure.</summary>
    public static double ConfidenceOf(IReadOnlyList<bool> differs, double level = ComparisonLevel) =>
        1 - (level / Math.Max(1, differs.Count(isDifferent => !isDifferent)));
}
