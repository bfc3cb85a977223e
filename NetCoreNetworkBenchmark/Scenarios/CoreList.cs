using System.Globalization;

namespace NetCoreNetworkBenchmark.Scenarios;

/// <summary>Converts numbers of cores to text: single numbers and ranges, such as <c>0-1+3</c>.</summary>
public static class CoreList
{
    /// <summary>Writes core numbers.</summary>
    /// <param name="cores">The numbers, each once and in order.</param>
    /// <returns>The text in the format of <c>--pin</c>.</returns>
    public static string Text(IReadOnlyList<int> cores)
    {
        ArgumentNullException.ThrowIfNull(cores);
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
}
