using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Results;

/// <summary>Messages by sender or receiver.</summary>
/// <param name="ClientSent">Messages that clients handed to the library.</param>
/// <param name="ServerReceived">Messages that reached the server; null if the server did not report it.</param>
/// <param name="ServerSent">Messages that the server handed to the library; null if the server did not report it.</param>
/// <param name="ClientReceived">Messages that came back, or that the server sent unasked, each counted once, correct in size and content.</param>
public sealed record MessageTotals(long ClientSent, long? ServerReceived, long? ServerSent, long ClientReceived)
{
    /// <summary>
    /// The time in seconds in which the server counted, which begins and ends a little later than the measurement of the clients; null if the server did not
    /// report it, or for slices.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? ServerSeconds { get; init; }
}

/// <summary>The message counts of a whole run: <c>Sent = Received + Lost + Unanswered</c>.</summary>
/// <param name="Sent">Messages that clients handed to the library. For a server that sends unasked, the messages that it is known to have sent to each
/// client.</param>
/// <param name="Received">Messages that came back, each counted once.</param>
/// <param name="Lost">Messages that never came back.</param>
/// <param name="Unanswered">Messages still in flight when an aborted run ended; otherwise, 0.</param>
/// <param name="Duplicated">Second answers to the same message.</param>
/// <param name="Reordered">Answers that came after the answer to a later message.</param>
/// <param name="Corrupted">Answers that were wrong in size or content.</param>
public sealed record RunTotals(long Sent, long Received, long Lost, long Unanswered, long Duplicated, long Reordered, long Corrupted);

/// <summary>A distribution of latencies, in microseconds.</summary>
/// <param name="Mean">The arithmetic mean.</param>
/// <param name="P50">The median.</param>
/// <param name="P90">The 90th percentile.</param>
/// <param name="P95">The 95th percentile.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="P999">The 99.9th percentile.</param>
/// <param name="P9999">The 99.99th percentile.</param>
/// <param name="Max">The largest value.</param>
public sealed record LatencySummary(double Mean, double P50, double P90, double P95, double P99, double P999, double P9999, double Max)
{
    /// <summary>The smallest value; null in results of earlier versions.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    [JsonPropertyOrder(-1)]
    public double? Min { get; init; }
}

/// <summary>A part of the latencies that were measured.</summary>
/// <param name="Name">The name of the part, such as <c>TLS handshake</c>.</param>
/// <param name="Microseconds">Its distribution, in microseconds; null if nothing was measured.</param>
/// <param name="Histogram">Its histogram in nanoseconds, in HdrHistogram's compressed V2 encoding; null if nothing was measured.</param>
public sealed record LatencyPart(string Name, LatencySummary? Microseconds, string? Histogram);

/// <summary>The distribution of a workload's other times, which are not the latencies of messages.</summary>
/// <param name="Name">The name of what was timed, such as <c>Burst</c>.</param>
/// <param name="Count">The number of times that were recorded.</param>
/// <param name="PerSecond">That number for each second of the measurement.</param>
/// <param name="Microseconds">The distribution, in microseconds; null if nothing was recorded.</param>
/// <param name="Histogram">The histogram in nanoseconds, in HdrHistogram's compressed V2 encoding; null if nothing was recorded.</param>
public sealed record TimeDistribution(string Name, long Count, double PerSecond, LatencySummary? Microseconds, string? Histogram);

/// <summary>One part of the measurement.</summary>
/// <param name="Seconds">The length of the part in seconds.</param>
/// <param name="Messages">The number of round trips in the part.</param>
public sealed record IterationResult(double Seconds, long Messages)
{
    /// <summary>Round trips per second.</summary>
    public double MessagesPerSecond => Seconds <= 0 ? 0 : Messages / Seconds;
}

/// <summary>The accuracy with which an open loop (<c>--rate</c>) kept its schedule.</summary>
/// <param name="AskedPerSecond">The requested messages per second, over all clients.</param>
/// <param name="SentPerSecond">The messages per second that were sent.</param>
/// <param name="LateBoundMilliseconds">The bound in milliseconds: a message that leaves later than this after it was due counts as sent late.</param>
/// <param name="LateShare">The share (0 to 1) of the messages that were sent late.</param>
public sealed record ScheduleResult(double AskedPerSecond, double SentPerSecond, double LateBoundMilliseconds, double LateShare);

/// <summary>The intended impairment of the traffic between clients and server.</summary>
/// <param name="Asked">The options and values as requested.</param>
/// <param name="Relay">The exact counts of the relay between clients and server.</param>
public sealed record ImpairmentResult(IReadOnlyDictionary<string, string> Asked, RelayCounts Relay);

/// <summary>The kind of server that answered the clients.</summary>
public enum ServerKind
{
    /// <summary>The server of the run, which reported its own figures.</summary>
    Own,

    /// <summary>A server that was started apart from the run, of any program. There are no figures of the server.</summary>
    PlainEcho,
}
