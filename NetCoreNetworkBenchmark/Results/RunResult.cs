namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// What one run measured, and everything that is needed to know what the figures mean. This is the one schema that reports and
/// comparisons read; Docs/results.md describes its JSON form. Numbers are raw: only reports round.
/// </summary>
public sealed record RunResult
{
    /// <summary>The version of this schema; it grows when a field changes its meaning or goes away, not when one is added.</summary>
    public int Schema { get; init; } = 1;

    /// <summary>The version of the harness that measured.</summary>
    public required string HarnessVersion { get; init; }

    /// <summary>The library's name.</summary>
    public required string Library { get; init; }

    /// <summary>The version of the library's code that was really loaded.</summary>
    public required string LibraryVersion { get; init; }

    /// <summary>The transport.</summary>
    public required string Protocol { get; init; }

    /// <summary>The kind of delivery.</summary>
    public required string Transmission { get; init; }

    /// <summary>The workload.</summary>
    public required string Test { get; init; }

    /// <summary>The server's address.</summary>
    public required string Address { get; init; }

    /// <summary>The server's port, as it really was.</summary>
    public required int Port { get; init; }

    /// <summary>Clients that were connected at the same time.</summary>
    public required int Clients { get; init; }

    /// <summary>Messages that every client kept in flight.</summary>
    public required int ParallelMessages { get; init; }

    /// <summary>Bytes of a message.</summary>
    public required int MessageSize { get; init; }

    /// <summary>What the bytes of a message were.</summary>
    public required string MessageLoad { get; init; }

    /// <summary>When the measurement began, in UTC.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Seconds of load before it counted.</summary>
    public required double WarmUpSeconds { get; init; }

    /// <summary>Seconds that the measurement was asked to take.</summary>
    public required double DefinedDurationSeconds { get; init; }

    /// <summary>Seconds that the measurement really took.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>Messages within the measurement, by who sent or received them.</summary>
    public required MessageTotals Messages { get; init; }

    /// <summary>Messages that were found lost from the begin of the measurement to the end of the drain.</summary>
    public required long Lost { get; init; }

    /// <summary>Second answers to the same message, over the same time.</summary>
    public required long Duplicated { get; init; }

    /// <summary>Answers that came after the answer to a later message, over the same time.</summary>
    public required long Reordered { get; init; }

    /// <summary>Answers that were wrong in size or content, over the same time.</summary>
    public required long Corrupted { get; init; }

    /// <summary>Errors of the whole run: dropped peers and socket errors.</summary>
    public required long Errors { get; init; }

    /// <summary><see cref="Errors"/> by name.</summary>
    public required IReadOnlyDictionary<string, long> ErrorsByName { get; init; }

    /// <summary>The whole run with warm-up and drain, where sent = received + lost + unanswered holds.</summary>
    public required RunTotals Totals { get; init; }

    /// <summary>Round trips per second of the measurement.</summary>
    public required double MessagesPerSecond { get; init; }

    /// <summary>Payload that came back to clients, in units of 1,048,576 bytes a second.</summary>
    public required double MegabytesPerSecond { get; init; }

    /// <summary>Round trips of the measurement, in microseconds; null where none was measured.</summary>
    public required LatencySummary? LatencyMicroseconds { get; init; }

    /// <summary>Managed bytes that the process (server and clients) allocated within the measurement, for each round trip.</summary>
    public required double AllocatedBytesPerMessage { get; init; }

    /// <summary>Whether the figures may be used.</summary>
    public required bool Valid { get; init; }

    /// <summary>Why they may not, a sentence each; empty where they may.</summary>
    public required IReadOnlyList<string> InvalidReasons { get; init; }

    /// <summary>Whether the user ended the run before its time.</summary>
    public required bool Aborted { get; init; }

    /// <summary>Where it ran.</summary>
    public required EnvironmentInfo Environment { get; init; }

    /// <summary>The command line that repeats the run.</summary>
    public required string Command { get; init; }
}

/// <summary>Messages by who sent or received them.</summary>
/// <param name="ClientSent">Messages that clients handed to the library.</param>
/// <param name="ServerReceived">Messages that reached the server.</param>
/// <param name="ServerSent">Messages that the server handed to the library.</param>
/// <param name="ClientReceived">Messages that came back, each counted once, right in size and content.</param>
public sealed record MessageTotals(long ClientSent, long ServerReceived, long ServerSent, long ClientReceived);

/// <summary>The account of a whole run: <c>Sent = Received + Lost + Unanswered</c>.</summary>
/// <param name="Sent">Messages that clients handed to the library.</param>
/// <param name="Received">Messages that came back, each counted once.</param>
/// <param name="Lost">Messages that never came back.</param>
/// <param name="Unanswered">Messages still in flight when an aborted run ended; 0 otherwise.</param>
public sealed record RunTotals(long Sent, long Received, long Lost, long Unanswered);

/// <summary>A distribution of latencies, in microseconds.</summary>
/// <param name="Mean">The arithmetic mean.</param>
/// <param name="P50">The median.</param>
/// <param name="P90">The 90th percentile.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="P999">The 99.9th percentile.</param>
/// <param name="P9999">The 99.99th percentile.</param>
/// <param name="Max">The largest.</param>
public sealed record LatencySummary(double Mean, double P50, double P90, double P99, double P999, double P9999, double Max);
