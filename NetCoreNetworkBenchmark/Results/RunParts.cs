namespace NetCoreNetworkBenchmark.Results;

/// <summary>Messages by who sent or received them.</summary>
/// <param name="ClientSent">Messages that clients handed to the library.</param>
/// <param name="ServerReceived">Messages that reached the server; null where the server did not tell.</param>
/// <param name="ServerSent">Messages that the server handed to the library; null where the server did not tell.</param>
/// <param name="ClientReceived">Messages that came back, or came from the server unasked, each counted once, right in size and content.</param>
public sealed record MessageTotals(long ClientSent, long? ServerReceived, long? ServerSent, long ClientReceived);

/// <summary>The account of a whole run: <c>Sent = Received + Lost + Unanswered</c>.</summary>
/// <param name="Sent">Messages that clients handed to the library; of a server that sends unasked, those that it is known to have sent to each of them.</param>
/// <param name="Received">Messages that came back, each counted once.</param>
/// <param name="Lost">Messages that never came back.</param>
/// <param name="Unanswered">Messages still in flight when an aborted run ended; 0 otherwise.</param>
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
/// <param name="Max">The largest.</param>
public sealed record LatencySummary(double Mean, double P50, double P90, double P95, double P99, double P999, double P9999, double Max);

/// <summary>One part of the measurement.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Messages">Round trips in it.</param>
public sealed record IterationResult(double Seconds, long Messages)
{
    /// <summary>Round trips per second.</summary>
    public double MessagesPerSecond => Seconds <= 0 ? 0 : Messages / Seconds;
}

/// <summary>How a run of an open loop (<c>--rate</c>) kept its schedule.</summary>
/// <param name="AskedPerSecond">Messages per second that were asked for, over all clients.</param>
/// <param name="SentPerSecond">Messages per second that were sent.</param>
/// <param name="LateBoundMilliseconds">A message that leaves later than this after it was due counts as sent late.</param>
/// <param name="LateShare">Share (0 to 1) of the messages that were sent late.</param>
public sealed record ScheduleResult(double AskedPerSecond, double SentPerSecond, double LateBoundMilliseconds, double LateShare);

/// <summary>What was done to the traffic between clients and server on purpose.</summary>
/// <param name="Asked">Options and values as they were asked for.</param>
/// <param name="Relay">What the relay between them did, exactly.</param>
public sealed record ImpairmentResult(IReadOnlyDictionary<string, string> Asked, RelayCounts Relay);

/// <summary>Who answered the clients.</summary>
public enum ServerKind
{
    /// <summary>A server of this program, which told its own figures.</summary>
    Own,

    /// <summary>Something that merely sends back what it gets: there are no figures of the server.</summary>
    PlainEcho,
}
