namespace NetCoreNetworkBenchmark.Results;

/// <summary>The heartbeats of both sides within the measurement. They are not part of the messages.</summary>
/// <param name="ServerSent">Heartbeats that the server sent; null if the server did not report them.</param>
/// <param name="ServerReceived">Heartbeats that reached the server; null if the server did not report them.</param>
/// <param name="ClientSent">Heartbeats that clients sent.</param>
/// <param name="ClientReceived">Heartbeats that reached clients.</param>
public sealed record HeartbeatCounts(long? ServerSent, long? ServerReceived, long ClientSent, long ClientReceived);

/// <summary>The connections that clients lost and opened again, over the whole run.</summary>
/// <param name="Lost">Connections that clients lost.</param>
/// <param name="Attempts">Attempts to connect again.</param>
/// <param name="Returned">Attempts that succeeded.</param>
/// <param name="GapMicroseconds">
/// The time from the loss of a connection to the first answer that the client got after it, in microseconds; null if no client got one.
/// </param>
/// <param name="GapHistogram">Its histogram in nanoseconds, in HdrHistogram's compressed V2 encoding; null if no client got an answer.</param>
/// <param name="Reasons">The ends of connections as both sides saw them, by reason.</param>
public sealed record ReconnectionResult(
    long Lost, long Attempts, long Returned, LatencySummary? GapMicroseconds, string? GapHistogram, IReadOnlyDictionary<string, long> Reasons);
