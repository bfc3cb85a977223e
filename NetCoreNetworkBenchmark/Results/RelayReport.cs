namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// The actions of a relay on datagrams, or on the IP packets of a path, while its impairment was on. It counts no packets of connections that it carries.
/// </summary>
/// <param name="ToServer">The counts of the direction from the clients to the server.</param>
/// <param name="ToClients">The counts of the direction from the server to the clients.</param>
/// <param name="Stalls">The number of stalls that began.</param>
/// <param name="Clients">Addresses that datagrams came from, or connections that were accepted, over the whole life of the relay.</param>
/// <param name="Cuts">The number of cuts that began; 0 for datagrams.</param>
/// <param name="ResetConnections">The number of connections that the cuts have reset, in total; 0 for datagrams.</param>
/// <param name="Outages">The number of outages that began.</param>
/// <param name="Roams">The number of times at which all clients got new addresses; 0 for connections.</param>
public sealed record RelayCounts(
    RelayDirectionCounts ToServer, RelayDirectionCounts ToClients, long Stalls, int Clients, long Cuts = 0, long ResetConnections = 0, long Outages = 0,
    long Roams = 0)
{
    // A reordered or corrupted datagram may be dropped at its destination.
    internal long DroppedOnPurpose => new[] { ToServer, ToClients }.Sum(counts => counts.Dropped + counts.Reordered + counts.Corrupted);
}

/// <summary>The counts of one direction. When nothing is under way any more, <c>Received + Duplicated = Forwarded + Dropped + Overflowed</c>.</summary>
/// <param name="Received">Packets that arrived.</param>
/// <param name="Forwarded">Packets that left, including copies.</param>
/// <param name="Dropped">Packets that were lost on purpose.</param>
/// <param name="Duplicated">Copies that were made.</param>
/// <param name="Reordered">Packets that left behind the next one of their client.</param>
/// <param name="Corrupted">Packets of which one byte was changed and that were forwarded.</param>
/// <param name="Overflowed">Packets that the full queue of the bandwidth limit or the system refused.</param>
/// <param name="Missed">Datagrams that arrived faster than the relay could read them, over its whole life; null if not reported, and for IP packets.</param>
/// <param name="Late">Packets that left later than <see cref="ImpairmentPlan.LateBound"/> after they were due.</param>
/// <param name="Wire">The IP packets that arrived, or those of the datagrams that arrived; null for connections.</param>
public sealed record RelayDirectionCounts(
    long Received, long Forwarded, long Dropped, long Duplicated, long Reordered, long Corrupted, long Overflowed, long? Missed,
    long Late = 0, WireTraffic? Wire = null);

/// <summary>The figures of the relay that impaired the traffic between clients and server.</summary>
/// <param name="Counts">The counts of both directions.</param>
/// <param name="Remarks">The deviations from the requested impairment, a sentence each.</param>
public sealed record RelayReport(RelayCounts Counts, IReadOnlyList<string> Remarks)
{
    /// <summary>
    /// The figures of the TCP connection of another application in the same queue (<see cref="ImpairmentPlan.NeighbourBitsPerSecond"/>); null if there was
    /// none.
    /// </summary>
    public NeighbourReport? Neighbour { get; init; }
}

/// <summary>The figures of the TCP connection of another application during the measurement.</summary>
/// <param name="CongestionControl">The kernel's algorithm of its sender, such as cubic.</param>
/// <param name="GoodputBitsPerSecond">The bits per second that its receiver read, without headers.</param>
/// <param name="RoundTripMicroseconds">Its round trip as its sender's kernel smooths it, read each 10 ms; null if it was never read.</param>
public sealed record NeighbourReport(string CongestionControl, double GoodputBitsPerSecond, LatencySummary? RoundTripMicroseconds)
{
    private const int BitsPerByte = 8;

    internal const double BitsPerMegabit = 1e6;

    internal static NeighbourReport From(string congestionControl, long bytes, TimeSpan measured, LatencyHistogram roundTrips) => new(
        congestionControl,
        measured > TimeSpan.Zero ? bytes * BitsPerByte / measured.TotalSeconds : 0,
        LatencyReport.From(roundTrips).Microseconds);
}
