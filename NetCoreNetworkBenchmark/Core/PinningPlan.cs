using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// The cores that each side of a run is bound to with all its threads. Immutable and plain enough to serialize; the default binds
/// nothing.
/// </summary>
public sealed record PinningPlan
{
    /// <summary>Numbers of the server's cores as the system counts them, from 0, each once and in order; null where it is not bound.</summary>
    public IReadOnlyList<int>? ServerCores { get; init; }

    /// <summary>Numbers of the clients' cores as the system counts them, from 0, each once and in order; null where they are not bound.</summary>
    public IReadOnlyList<int>? ClientCores { get; init; }

    /// <summary>Whether neither side is bound.</summary>
    [JsonIgnore]
    public bool IsNone => ServerCores is null && ClientCores is null;

    /// <summary>Whether both bind the same sides to the same cores.</summary>
    /// <param name="other">The other plan.</param>
    /// <returns>True where they do.</returns>
    public bool Equals(PinningPlan? other) =>
        other is not null && AreSame(ServerCores, other.ServerCores) && AreSame(ClientCores, other.ClientCores);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(ServerCores?.Count, ClientCores?.Count);

    private static bool AreSame(IReadOnlyList<int>? one, IReadOnlyList<int>? other) =>
        one is null ? other is null : other is not null && one.SequenceEqual(other);
}
