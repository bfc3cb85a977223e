namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>
/// Checks the requirements of all methods in this folder: at least one figure, and all figures positive and finite, because the methods work on logarithms.
/// </summary>
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

    /// <summary>Returns the middle value, or the mean of the two middle values.</summary>
    public static double MedianOf(ReadOnlySpan<double> sorted)
    {
        double upper = sorted[sorted.Length / 2];
        return sorted.Length % 2 == 1 ? upper : (sorted[(sorted.Length / 2) - 1] + upper) / 2;
    }
}
