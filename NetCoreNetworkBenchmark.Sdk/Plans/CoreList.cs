using System.Globalization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>Converts numbers of cores to text and back: single numbers and ranges, such as <c>0-1+3</c>.</summary>
public static class CoreList
{
    /// <summary>Writes core numbers.</summary>
    /// <param name="cores">The numbers, each once and in order.</param>
    /// <returns>The text in the format of <c>--pin</c>.</returns>
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

    /// <summary>Reads the cores of both sides, such as <c>server=0-1,clients=2+3</c>.</summary>
    /// <param name="option">The option.</param>
    /// <param name="text">The value of the option.</param>
    /// <returns>The cores.</returns>
    /// <exception cref="BenchmarkException">The text is not a list of cores for a side.</exception>
    public static PinningPlan Pinning(string option, string text)
    {
        var sides = new Dictionary<string, IReadOnlyList<int>>(StringComparer.OrdinalIgnoreCase);
        foreach (string part in text.Split(','))
        {
            if (part.Split('=') is not [var side, var list] || Cores(list) is not { } cores || !sides.TryAdd(side, cores))
            {
                throw Invalid(option, text);
            }
        }

        var pinning = new PinningPlan { ServerCores = sides.GetValueOrDefault("server"), ClientCores = sides.GetValueOrDefault("clients") };
        return sides.Count == (pinning.ServerCores is null ? 0 : 1) + (pinning.ClientCores is null ? 0 : 1) ? pinning : throw Invalid(option, text);
    }

    /// <summary>Writes the cores of both sides.</summary>
    /// <param name="pinning">The cores.</param>
    /// <returns>The text in the format of <c>--pin</c>.</returns>
    public static string Text(PinningPlan pinning)
    {
        string?[] sides =
        [
            pinning.ServerCores is { } server ? $"server={Text(server)}" : null,
            pinning.ClientCores is { } clients ? $"clients={Text(clients)}" : null,
        ];
        return string.Join(',', sides.OfType<string>());
    }

    // Null if the text is not a list.
    private static int[]? Cores(string list)
    {
        var cores = new SortedSet<int>();
        foreach (string range in list.Split('+'))
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

    private static int? Core(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int core) && core < PlanLimits.MostCores ? core : null;

    private static BenchmarkException Invalid(string option, string text) => BenchmarkException.BadInput(
        $"{option}: \"{text}\" is not a list of cores for one side or both, such as server=0,clients=1 or server=0-1,clients=2+3.");
}
