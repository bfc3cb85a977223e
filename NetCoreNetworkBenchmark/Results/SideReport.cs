using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of one side of a run, as its process reports them.</summary>
public abstract record SideReport
{
    /// <summary>The version of the library's code that was actually loaded.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>The number of threads of this side; null if the library has threads of its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null if it was not bound.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>The deviations of the adapter from the plan, a sentence each.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    /// <summary>The errors of the whole run by name: dropped peers and socket errors.</summary>
    public required IReadOnlyDictionary<string, long> Errors { get; init; }

    /// <summary>The TLS handshakes that succeeded, over the whole life of the side; empty if there was no TLS.</summary>
    public IReadOnlyList<NegotiatedTls> Handshakes { get; init; } = [];

    /// <summary>The cost of the process while the load was paused between slices; null if there were no pauses.</summary>
    public ProcessCost? Idle { get; init; }

    /// <summary>The garbage collector of the process; null if it was not reported.</summary>
    public string? GarbageCollector { get; init; }

    /// <summary>The course of the measurement; null if it was not followed.</summary>
    public SideTimeline? Timeline { get; init; }

    public static SortedDictionary<string, long> SumByName(params IEnumerable<IReadOnlyDictionary<string, long>?> counts) => new(
        counts.SelectMany(count => count ?? new Dictionary<string, long>()).GroupBy(count => count.Key)
            .ToDictionary(named => named.Key, named => named.Sum(count => count.Value)),
        StringComparer.Ordinal);
}

/// <summary>The cores that one side was bound to.</summary>
/// <param name="Requested">The numbers of the requested cores.</param>
/// <param name="Cores">The numbers of the cores that any thread of its process could use, as that process read them back.</param>
public sealed record SidePinning(IReadOnlyList<int> Requested, IReadOnlyList<int> Cores);

/// <summary>The figures of the server.</summary>
/// <param name="Received">Messages that reached the server within the measurement; null if the library does not count them.</param>
/// <param name="Sent">Messages that the server handed to the library within the measurement; null if the library does not count them.</param>
/// <param name="SentLate">Messages that the server sent later than <see cref="Plans.ImpairmentPlan.LateBound"/> after they were due.</param>
/// <param name="HeartbeatsSent">Heartbeats that the server sent.</param>
/// <param name="HeartbeatsReceived">Heartbeats that reached the server.</param>
public sealed record ServerReport(
    long? Received = null, long? Sent = null, long SentLate = 0, long HeartbeatsSent = 0, long HeartbeatsReceived = 0) : SideReport
{
    /// <summary>Ends of connections that are no errors, by reason, over the whole life of the server; empty if there were none.</summary>
    public IReadOnlyDictionary<string, long> Disconnects { get; init; } = new Dictionary<string, long>();

    /// <summary>Unsolicited traffic from the start of the measurement to the end of the drain, by name; empty if there was none.</summary>
    public IReadOnlyDictionary<string, long> Unsolicited { get; init; } = new Dictionary<string, long>();

    /// <summary>The key type of the server's certificate; null if there was no TLS.</summary>
    public string? Key { get; init; }

    /// <summary>
    /// Messages that reached the server over its whole life; null if the library does not count them, and in a result, which is judged by then.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? TotalReceived { get; init; }

    /// <summary>The cost of the process during the measurement; null if the clients were in the same process.</summary>
    public ProcessCost? Cost { get; init; }

    /// <summary>The resources of each slice, in their order; null in the result of a run, whose slices are those of its launch.</summary>
    public IReadOnlyList<ServerSlice>? Slices { get; init; }
}

/// <summary>The resources that the server used in one slice. Its interval is a little later than that of the clients.</summary>
/// <param name="Seconds">The length of the interval.</param>
/// <param name="Messages">The messages that the server received in it, or sent if the test is one-way; null if it counts none, as nginx.</param>
/// <param name="CpuSeconds">The CPU time of the server's process.</param>
/// <param name="CompilationSeconds">The time in which the JIT compiler ran, over all threads.</param>
public sealed record ServerSlice(double Seconds, long? Messages, double CpuSeconds, double CompilationSeconds);
