using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of a server that was run by itself (<c>--role Server</c>), for all its clients together.</summary>
public sealed record ServerResult() : LibraryResult(ResultKind.Server)
{
    /// <summary>The end point on which the server listened.</summary>
    public required string EndPoint { get; init; }

    /// <summary>The start of the server, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>The time in seconds from the first to the last message, with the idle time between them; null if no message was counted.</summary>
    public double? DurationSeconds { get; init; }

    /// <summary>
    /// The figures of the server while it had messages, or, if none was counted, over its whole life. Clients come and go, so the ends of their connections are
    /// no errors.
    /// </summary>
    public required ServerReport Server { get; init; }

    /// <summary>The conditions that could disturb the server.</summary>
    [JsonPropertyOrder(2)]
    public required Fitness Fitness { get; init; }
}
