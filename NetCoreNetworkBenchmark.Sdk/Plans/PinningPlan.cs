using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// The cores that each side of a run is bound to with all its threads. Immutable and plain enough to serialize; the default binds
/// nothing.
/// </summary>
public sealed record PinningPlan
{
    private const int MostDefaultThreads = 8;

    /// <summary>The numbers of the server's cores as the system counts them, from 0, each once and in order; null if the server is not bound.</summary>
    public IReadOnlyList<int>? ServerCores { get; init => field = value is null ? null : new EquatableList<int>(value); }

    /// <summary>The numbers of the clients' cores as the system counts them, from 0, each once and in order; null if the clients are not bound.</summary>
    public IReadOnlyList<int>? ClientCores { get; init => field = value is null ? null : new EquatableList<int>(value); }

    /// <summary>Whether neither side is bound.</summary>
    [JsonIgnore]
    public bool IsNone => ServerCores is null && ClientCores is null;

    /// <summary>
    /// The number of threads that serve the clients if the user specifies none: one for each of the clients' cores. If the clients are not bound, one
    /// for each of half the machine's cores, so that the server has its own. From 1 to 8.
    /// </summary>
    [JsonIgnore]
    public int DefaultClientThreads => Math.Clamp(ClientCores?.Count ?? Environment.ProcessorCount / 2, 1, MostDefaultThreads);
}

/// <summary>Converts numbers of cores to text and back: single numbers and ranges, such as <c>0-1+3</c>.</summary>
public static class CoreList
{
    /// <summary>Writes core numbers, each once and in order, in the format of <c>--pin</c>.</summary>
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

    /// <summary>Writes the cores of both sides in the format of <c>--pin</c>.</summary>
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
