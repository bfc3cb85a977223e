namespace NetCoreNetworkBenchmark.Results;

/// <summary>What a relay did to the datagrams that came to it while its impairment was switched on.</summary>
/// <param name="ToServer">Datagrams on their way from the clients to the server.</param>
/// <param name="ToClients">Datagrams on their way from the server to the clients.</param>
/// <param name="Stalls">Stalls that began.</param>
/// <param name="Clients">Addresses that datagrams came from, over the whole life of the relay.</param>
public sealed record RelayCounts(RelayDirectionCounts ToServer, RelayDirectionCounts ToClients, long Stalls, int Clients);

/// <summary>
/// One direction's account. When nothing is under way any more, <c>Received + Duplicated = Forwarded + Dropped + Overflowed</c>.
/// </summary>
/// <param name="Received">Datagrams that came.</param>
/// <param name="Forwarded">Datagrams that left, copies among them.</param>
/// <param name="Dropped">Datagrams that were lost on purpose.</param>
/// <param name="Duplicated">Copies that were made.</param>
/// <param name="Reordered">Datagrams that left behind the next one of their client.</param>
/// <param name="Corrupted">Datagrams of which one byte was changed and that went on.</param>
/// <param name="Overflowed">Datagrams that found the queue of the bandwidth limit full, or that the system did not take.</param>
/// <param name="Missed">
/// Datagrams that the relay never saw, because they came faster than it could read them; over its whole life. Null where the system
/// does not tell.
/// </param>
public sealed record RelayDirectionCounts(
    long Received, long Forwarded, long Dropped, long Duplicated, long Reordered, long Corrupted, long Overflowed, long? Missed);
