namespace NetCoreNetworkBenchmark.Options;

/// <summary>Single numbers and ranges of cores, such as <c>0-1+3</c>.</summary>
internal static class CoreList
{
    public static IReadOnlyList<int>? Read(string text)
    {
        var cores = new SortedSet<int>();
        foreach (string range in text.Split('+'))
        {
            string[] ends = range.Split('-');
            if (ends.Length > 2 || Core(ends[0]) is not { } first || Core(ends[^1]) is not { } last || first > last)
            {
                return null;
            }

            cores.UnionWith(Enumerable.Range(first, last - first + 1));
        }

        return [.. cores];
    }

    /// <param name="cores">In order, each once.</param>
    public static string Text(IReadOnlyList<int> cores)
    {
        var ranges = new List<string>();
        for (int index = 0; index < cores.Count; index++)
        {
            int first = cores[index];
            while (index + 1 < cores.Count && cores[index + 1] == cores[index] + 1)
            {
                index++;
            }

            ranges.Add(first == cores[index]
                ? first.ToString(CultureInfo.InvariantCulture)
                : string.Create(CultureInfo.InvariantCulture, $"{first}-{cores[index]}"));
        }

        return string.Join('+', ranges);
    }

    private static int? Core(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int core) && core < PlanLimits.MaxCores ? core : null;
}
