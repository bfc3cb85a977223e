namespace NetCoreNetworkBenchmark.Results;

/// <summary>Messages by sender or receiver.</summary>
/// <param name="ClientSent">Messages that clients handed to the library.</param>
/// <param name="ServerReceived">Messages that reached the server; null if the server did not report it.</param>
/// <param name="ServerSent">Messages that the server handed to the library; null if the server did not report it.</param>
/// <param name="ClientReceived">Messages that came back, or that the server sent by itself, each counted once, correct in size and content.</param>
public sealed record MessageTotals(long ClientSent, long? ServerReceived, long? ServerSent, long ClientReceived);

/// <summary>The message counts of a whole run: <c>Sent = Received + Lost + Unanswered</c>.</summary>
/// <param name="Sent">Messages that clients handed to the library. For a server that sends by itself, the messages that it is known to have sent to each
/// client.</param>
/// <param name="Received">Messages that came back, each counted once.</param>
/// <param name="Lost">Messages that never came back.</param>
/// <param name="Unanswered">Messages still in flight when an aborted run ended; otherwise, 0.</param>
/// <param name="Duplicated">Second answers to the same message.</param>
/// <param name="Reordered">Answers that came after the answer to a later message.</param>
/// <param name="Corrupted">Answers that were wrong in size or content.</param>
public sealed record RunTotals(long Sent, long Received, long Lost, long Unanswered, long Duplicated, long Reordered, long Corrupted);

/// <summary>The accuracy with which an open loop (<c>--rate</c>) kept its schedule.</summary>
/// <param name="AskedPerSecond">The requested messages per second, over all clients.</param>
/// <param name="SentPerSecond">The messages per second that were sent.</param>
/// <param name="LateBoundMilliseconds">The bound in milliseconds: a message that leaves later than this after it was due counts as sent late.</param>
/// <param name="LateShare">The share (0 to 1) of the messages that were sent late.</param>
public sealed record ScheduleResult(double AskedPerSecond, double SentPerSecond, double LateBoundMilliseconds, double LateShare);

/// <summary>The kind of server that answered the clients.</summary>
public enum ServerKind
{
    /// <summary>The server of the run, which reported its own figures.</summary>
    Own,

    /// <summary>A server that was started apart from the run, of any program. There are no figures of the server.</summary>
    Apart,
}
