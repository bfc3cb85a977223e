using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>What a server counted between two marks, as plain data that can travel between processes.</summary>
internal sealed record ServerReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>Threads of the server that were asked of the library; null where its threads are its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null where it was not.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>What the adapter did otherwise than it was asked to.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    public required long Received { get; init; }

    public required long Sent { get; init; }

    /// <summary>Messages that the server sent later than <see cref="Core.SendSchedule.LateBound"/> after they were due; 0 where the schedule is not its.</summary>
    public long SentLate { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }

    /// <summary>Traffic of strangers by name; empty where there was none.</summary>
    public SortedDictionary<string, long> Foreign { get; init; } = [];

    /// <summary>The kind of key of its certificate; null where there was no TLS.</summary>
    public string? Key { get; init; }

    /// <summary>TLS handshakes that succeeded, of the server's whole life so far; empty where there was no TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    public required ProcessCost Cost { get; init; }
}
