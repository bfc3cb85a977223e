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
}
