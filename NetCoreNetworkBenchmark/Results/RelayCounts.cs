namespace NetCoreNetworkBenchmark.Results;

/// <summary>What a relay did to the datagrams, or to the chunks of streams, that came to it while its impairment was switched on.</summary>
/// <param name="ToServer">Those on their way from the clients to the server.</param>
/// <param name="ToClients">Those on their way from the server to the clients.</param>
/// <param name="Stalls">Stalls that began.</param>
/// <param name="Clients">Addresses that datagrams came from, or connections that were accepted, over the whole life of the relay.</param>
public sealed record RelayCounts(RelayDirectionCounts ToServer, RelayDirectionCounts ToClients, long Stalls, int Clients);

/// <summary>
/// One direction's account. When nothing is under way any more, <c>Received + Duplicated = Forwarded + Dropped + Overflowed</c>.
/// <para>
/// A stream comes in chunks: what one read found, and under a bandwidth limit the segments of that, of at most 1,460 bytes. None of them
/// is ever dropped, duplicated, reordered or corrupted.
/// </para>
/// </summary>
/// <param name="Received">Datagrams or chunks that came.</param>
/// <param name="Forwarded">Datagrams that left, copies among them, or chunks.</param>
/// <param name="Dropped">Datagrams that were lost on purpose.</param>
/// <param name="Duplicated">Copies that were made.</param>
/// <param name="Reordered">Datagrams that left behind the next one of their client.</param>
/// <param name="Corrupted">Datagrams of which one byte was changed and that went on.</param>
/// <param name="Overflowed">
/// Datagrams that found the queue of the bandwidth limit full, or that the system did not take; chunks whose connection broke before they left.
/// </param>
/// <param name="Missed">
/// Datagrams that the relay never saw, because they came faster than it could read them; over its whole life. Null where the system
/// does not tell, and for streams, which miss nothing.
/// </param>
public sealed record RelayDirectionCounts(
    long Received, long Forwarded, long Dropped, long Duplicated, long Reordered, long Corrupted, long Overflowed, long? Missed)
{
    /// <summary>What there is to say of the bytes of streams; null for datagrams.</summary>
    public RelayStreamCounts? Stream { get; init; }
}

/// <summary>The bytes of all streams in one direction.</summary>
/// <param name="Bytes">Bytes that came.</param>
/// <param name="ForwardedBytes">Bytes that left.</param>
/// <param name="DelayedBytes">Bytes whose time to leave was later than when they came.</param>
/// <param name="LongestQueue">The most bytes that were kept at one time, on their way or waiting for a receiver without room.</param>
public sealed record RelayStreamCounts(long Bytes, long ForwardedBytes, long DelayedBytes, long LongestQueue);
