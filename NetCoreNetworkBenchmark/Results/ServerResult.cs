using System.Collections.ObjectModel;
using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of a server that was run by itself (<c>--role Server</c>), for all its clients together.</summary>
public sealed record ServerResult() : LibraryResult(ResultKind.Server)
{
    /// <summary>The TLS facts of the server; null if there was no TLS.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TlsResult? Tls { get; init; }

    /// <summary>The workload.</summary>
    public required string Test { get; init; }

    /// <summary>The end point on which the server listened.</summary>
    public required string EndPoint { get; init; }

    /// <summary>The size of a message in bytes.</summary>
    public required int MessageSize { get; init; }

    /// <summary>The library's settings by name, including those that were not chosen.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init => field = value ?? ReadOnlyDictionary<string, string>.Empty; } =
        ReadOnlyDictionary<string, string>.Empty;

    /// <summary>The number of server threads that the library was asked for; null if its threads are its own.</summary>
    public int? ServerThreads { get; init; }

    /// <summary>The cores that the server was bound to; null if it was not bound.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>The deviations of the library's adapter from the plan, a sentence each.</summary>
    public IReadOnlyList<string> Remarks { get; init => field = value ?? []; } = [];

    /// <summary>The start of the server, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The time in seconds from the first to the last message, with the idle time between them; null if no message was counted.</summary>
    public required double? DurationSeconds { get; init; }

    /// <summary>Messages that reached the server.</summary>
    public required long? Received { get; init; }

    /// <summary>Messages that the server handed to the library.</summary>
    public required long? Sent { get; init; }

    /// <summary>Errors by name.</summary>
    public required IReadOnlyDictionary<string, long> ErrorsByName { get; init; }

    /// <summary>Connections that ended before the server, by reason; null if there were none. Clients come and go, so they are no errors.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, long>? Disconnects { get; init; }

    /// <summary>Traffic that reached the server but came from no client, over the same time, by name; null if there was none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, long>? Foreign { get; init; }

    /// <summary>The cost of the server's process while it had messages, or, if none was counted, over its whole life.</summary>
    public required ProcessCost Cost { get; init; }

    /// <summary>The conditions that could disturb the server.</summary>
    [JsonPropertyOrder(2)]
    public required Fitness Fitness { get; init; }
}
