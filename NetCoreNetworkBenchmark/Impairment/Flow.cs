namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Passes a datagram to the system.</summary>
/// <returns>True if the system accepted the datagram; otherwise, false.</returns>
internal delegate bool DatagramSender(ReadOnlySpan<byte> datagram);

/// <summary>The datagrams of one client in one direction. They leave in the order in which they arrived.</summary>
internal sealed class Flow(Direction direction, DatagramSender send)
{
    public DatagramSender Send => send;

    /// <summary>The time at which the last datagram leaves or left.</summary>
    public long LastLeave { get; set; }

    /// <summary>The datagram that waits for the next one to overtake it.</summary>
    public Datagram? Held { get; set; }

    /// <summary>Distinguishes a hold from earlier holds of this flow.</summary>
    public long HoldNumber { get; set; }

    /// <summary>Handles a datagram that has just been read.</summary>
    public void Arrive(ReadOnlySpan<byte> bytes, long now) => direction.Arrive(this, bytes, now);
}
