using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// The cores that each side of a run is bound to with all its threads. Immutable and plain enough to serialize; the default binds
/// nothing.
/// </summary>
public sealed record PinningPlan
{
    private const int MaxDefaultThreads = 8;

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
    public int DefaultClientThreads => Math.Clamp(ClientCores?.Count ?? Environment.ProcessorCount / 2, 1, MaxDefaultThreads);
}
