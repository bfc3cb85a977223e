namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of the server.</summary>
public sealed record ServerReport : SideReport
{
    /// <summary>Messages that reached the server within the measurement; null if the library does not count them.</summary>
    public long? Received { get; init; }

    /// <summary>Messages that the server handed to the library within the measurement; null if the library does not count them.</summary>
    public long? Sent { get; init; }

    /// <summary>
    /// Messages that the server sent later than <see cref="Plans.SendSchedule.LateBound"/> after they were due; 0 if the server does not keep the schedule.
    /// </summary>
    public long SentLate { get; init; }

    /// <summary>Heartbeats that the server sent.</summary>
    public long HeartbeatsSent { get; init; }

    /// <summary>Heartbeats that reached the server.</summary>
    public long HeartbeatsReceived { get; init; }

    /// <summary>Ends of connections that are no errors, by reason, over the whole life of the server; empty if there were none.</summary>
    public IReadOnlyDictionary<string, long> Disconnects { get; init; } = new Dictionary<string, long>();

    /// <summary>Unsolicited traffic from the start of the measurement to the end of the drain, by name; empty if there was none.</summary>
    public IReadOnlyDictionary<string, long> Unsolicited { get; init; } = new Dictionary<string, long>();

    /// <summary>The key type of the server's certificate; null if there was no TLS.</summary>
    public string? Key { get; init; }

    /// <summary>The resources of each slice, in their order; null in the result of a run, whose slices are those of its launch.</summary>
    public IReadOnlyList<ServerSlice>? Slices { get; init; }
}

/// <summary>The resources that the server used in one slice. Its interval is a little later than that of the clients.</summary>
/// <param name="Seconds">The length of the interval.</param>
/// <param name="Messages">The messages that the server received in it, or sent if the test is one-way.</param>
/// <param name="CpuSeconds">The CPU time of the server's process.</param>
/// <param name="CompilationSeconds">The time in which the JIT compiler ran, over all threads.</param>
public sealed record ServerSlice(double Seconds, long Messages, double CpuSeconds, double CompilationSeconds);
