using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The search for the most clients that are all served within a deadline.</summary>
public sealed record CapacityResult() : LibraryResult(ResultKind.Capacity)
{
    /// <summary>The library whose clients met the server over a stream, even if it was the server's own; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ClientLibrary { get; init; }

    /// <summary>The size of a message in bytes.</summary>
    public required int MessageSize { get; init; }

    /// <summary>The time in milliseconds that each client may wait for its answer.</summary>
    public required double DeadlineMilliseconds { get; init; }

    /// <summary>The start of the first step, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The most clients that could be tried.</summary>
    public required int Bound { get; init; }

    /// <summary>The source of that bound.</summary>
    public required ClientBoundKind BoundBy { get; init; }

    /// <summary>The steps, by their number of clients.</summary>
    public required IReadOnlyList<CapacityStep> Steps { get; init; }

    /// <summary>The most clients that were all served within the deadline; null if there was no such number.</summary>
    public required int? HighestClients { get; init; }

    /// <summary>The reason why the search ended there, in a sentence.</summary>
    public required string Conclusion { get; init; }

    /// <summary>Whether the user ended the search early.</summary>
    public required bool Aborted { get; init; }

    /// <summary>The conditions that could disturb the search, as found before the first step.</summary>
    public required Fitness Fitness { get; init; }
}

/// <summary>One number of clients, tried with a fresh process for the server and another for the clients.</summary>
/// <param name="Clients">The number of clients that were to connect.</param>
/// <param name="Holds">Whether all clients connected and each received its answer within the deadline.</param>
/// <param name="Reason">The reason why the step does not hold, in a few words; null if it holds.</param>
/// <param name="Figures">The measured figures; null if not all clients connected, or a process failed.</param>
public sealed record CapacityStep(int Clients, bool Holds, string? Reason, CapacityFigures? Figures);

/// <summary>The figures that were measured with a number of clients.</summary>
public sealed record CapacityFigures
{
    /// <summary>The number of clients that were connected.</summary>
    public required int Clients { get; init; }

    /// <summary>The time in seconds from the creation of the first client to the connection of the last.</summary>
    public required double ConnectSeconds { get; init; }

    /// <summary>The time to connect for each client, in microseconds.</summary>
    public double ConnectMicrosecondsPerClient => ConnectSeconds * 1e6 / Clients;

    /// <summary>The number of clients whose answer came within the deadline.</summary>
    public required long Answered { get; init; }

    /// <summary>The latency of the one round trip of each of these clients, all begun at about the same time; null if there were none.</summary>
    public required LatencySummary? LatencyMicroseconds { get; init; }

    /// <summary>Resident bytes of the server's process before the first client connected, after a full collection.</summary>
    public required long ServerResidentBytesBefore { get; init; }

    /// <summary>Resident bytes of the server's process when all clients were connected and idle, after a full collection.</summary>
    public required long ServerResidentBytes { get; init; }

    /// <summary>Bytes of the server's managed heap before the first client connected, after a full collection.</summary>
    public required long ServerManagedBytesBefore { get; init; }

    /// <summary>Bytes of the server's managed heap when all clients were connected and idle, after a full collection.</summary>
    public required long ServerManagedBytes { get; init; }

    /// <summary>Resident bytes by which the server's process grew for each client that is connected and idle.</summary>
    public double ServerResidentBytesPerClient => (double)(ServerResidentBytes - ServerResidentBytesBefore) / Clients;

    /// <summary>Managed bytes by which the server's process grew for each client that is connected and idle.</summary>
    public double ServerManagedBytesPerClient => (double)(ServerManagedBytes - ServerManagedBytesBefore) / Clients;

    /// <summary>Errors of both sides, by name.</summary>
    public required IReadOnlyDictionary<string, long> ErrorsByName { get; init; }
}

/// <summary>The source of the bound on the number of clients that can be tried.</summary>
public enum ClientBoundKind
{
    /// <summary>The user (<c>--clients</c>).</summary>
    Asked,

    /// <summary>The library's protocol.</summary>
    Protocol,

    /// <summary>The open descriptors that a process may have.</summary>
    Descriptors,

    /// <summary>The ports that the system gives to clients of one address.</summary>
    Ports,
}
