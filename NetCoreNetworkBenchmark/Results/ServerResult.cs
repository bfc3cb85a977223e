using System.Collections.ObjectModel;
using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>What a server saw that was run by itself (<c>--role Server</c>), from its start to its end.</summary>
public sealed record ServerResult : IResult
{
    /// <inheritdoc/>
    public int Schema { get; init; } = IResult.CurrentSchema;

    /// <inheritdoc/>
    public ResultKind Kind => ResultKind.Server;

    /// <summary>The version of the harness.</summary>
    public required string HarnessVersion { get; init; }

    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>The version of the library's code that was really loaded.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>The transport.</summary>
    public required string Protocol { get; init; }

    /// <summary>The kind of delivery.</summary>
    public required string Transmission { get; init; }

    /// <summary>How a stream was divided into messages: <c>Fixed</c> or <c>Length</c>; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Framing { get; init; }

    /// <summary>Whether the sockets of a stream sent at once what they were given (<c>TCP_NODELAY</c>), at both sides; null for datagrams.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public bool? NoDelay { get; init; }

    /// <summary>What there is to say of TLS; null where there was none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public TlsResult? Tls { get; init; }

    /// <summary>The workload.</summary>
    public required string Test { get; init; }

    /// <summary>Where it listened.</summary>
    public required string EndPoint { get; init; }

    /// <summary>Bytes of a message.</summary>
    public required int MessageSize { get; init; }

    /// <summary>The library's settings by name, those that were not chosen among them.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init => field = value ?? ReadOnlyDictionary<string, string>.Empty; } = ReadOnlyDictionary<string, string>.Empty;

    /// <summary>Threads of the server that were asked of the library; null where its threads are its own.</summary>
    public int? ServerThreads { get; init; }

    /// <summary>The cores that it was bound to; null where it was not.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>What the library's adapter did otherwise than it was asked to, a sentence each.</summary>
    public IReadOnlyList<string> Remarks { get; init => field = value ?? []; } = [];

    /// <summary>When it began, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Client processes that greeted it.</summary>
    public required int ClientProcesses { get; init; }

    /// <summary>Messages that reached it.</summary>
    public required long Received { get; init; }

    /// <summary>Messages that it handed to the library.</summary>
    public required long Sent { get; init; }

    /// <summary>Errors by name.</summary>
    public required IReadOnlyDictionary<string, long> ErrorsByName { get; init; }

    /// <summary>Traffic that reached the server and was no client's, over the same time, by name; null where there was none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyDictionary<string, long>? Foreign { get; init; }

    /// <summary>What its process cost from the first client's greeting to the end.</summary>
    public required ProcessCost Cost { get; init; }

    /// <summary>Where it ran.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>What could disturb it.</summary>
    public required Fitness Fitness { get; init; }

    /// <summary>The command line that repeats it.</summary>
    public required string Command { get; init; }
}
