using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The counts of a server between two marks, as plain data that can be sent between processes.</summary>
internal sealed record ServerReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>The number of server threads that the library was asked for; null if its threads are its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null if it was not bound.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>The deviations of the adapter from the plan.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    /// <summary>Messages that reached the server; null if it does not count them.</summary>
    public required long? Received { get; init; }

    /// <summary>Messages that the server sent; null if it does not count them.</summary>
    public required long? Sent { get; init; }

    /// <summary>
    /// Messages that the server sent later than <see cref="Plans.SendSchedule.LateBound"/> after they were due; 0 if the server does not keep the schedule.
    /// </summary>
    public long SentLate { get; init; }

    /// <summary>Heartbeats that the server sent.</summary>
    public long HeartbeatsSent { get; init; }

    /// <summary>Heartbeats that reached the server.</summary>
    public long HeartbeatsReceived { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }

    /// <summary>Ends of connections that are no errors, by reason, of the server's whole life so far; empty if there were none.</summary>
    public SortedDictionary<string, long> Disconnects { get; init; } = [];

    /// <summary>Traffic of strangers by name; empty if there was none.</summary>
    public SortedDictionary<string, long> Foreign { get; init; } = [];

    /// <summary>The kind of key of the server's certificate; null if there was no TLS.</summary>
    public string? Key { get; init; }

    /// <summary>TLS handshakes that succeeded, of the server's whole life so far; empty if there was no TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    public required ProcessCost Cost { get; init; }

    /// <summary>The garbage collector of the process; null if it was not reported.</summary>
    public string? GarbageCollector { get; init; }

    /// <summary>The course of the measurement; null if it was not followed.</summary>
    public SideTimeline? Timeline { get; init; }

    /// <summary>The resources of each measurement, in their order.</summary>
    public IReadOnlyList<ServerSlice> Slices { get; init; } = [];

    /// <summary>The cost of the pauses between the slices of the measurement; null if there were none.</summary>
    public ProcessCost? Idle { get; init; }
}
