namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Decides which of several comparisons that are judged together show a difference. The chance that one or more of equal figures are called different is at
/// most the level, whatever the comparisons have in common (Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
/// Statistics 6).
/// </summary>
internal static class HolmProcedure
{
    /// <summary>The chance of one wrong difference or more, for ranks, comparisons of results and comparisons of builds alike.</summary>
    public const double Level = 0.01;

    /// <summary>Decides the comparisons.</summary>
    /// <param name="ratios">The ratios, each of which is 1 if there is no difference. A ratio without an interval, or null, shows none.</param>
    /// <returns>For each ratio, whether it differs from 1.</returns>
    public static IReadOnlyList<bool> Decide(IReadOnlyList<SetRatio?> ratios)
    {
        double[] chances = [.. ratios.Select(ratio => ratio?.ChanceIfEqual() ?? 1)];
        var differs = new bool[ratios.Count];
        int left = chances.Length;
        foreach (int index in Enumerable.Range(0, chances.Length).OrderBy(index => chances[index]))
        {
            if (chances[index] > Level / left)
            {
                break;
            }

            differs[index] = true;
            left--;
        }

        return differs;
    }

    /// <summary>
    /// Returns the confidence of the intervals that agree with the decisions: those of the ratios that differ are without 1, and those of the others with it.
    /// It is that of the last step of the procedure.
    /// </summary>
    /// <param name="differs">The decisions.</param>
    public static double ConfidenceOf(IReadOnlyList<bool> differs) => 1 - (Level / Math.Max(1, differs.Count(found => !found)));
}
