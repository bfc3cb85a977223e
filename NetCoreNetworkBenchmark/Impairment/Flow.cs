namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>Hands a datagram to the system.</summary>
/// <returns>Whether it took it.</returns>
internal delegate bool DatagramSender(ReadOnlySpan<byte> datagram);

/// <summary>The datagrams of one client in one direction, which leave in the order in which they came.</summary>
internal sealed class Flow(Direction direction, DatagramSender send)
{
    public DatagramSender Send => send;

    /// <summary>When the last of them leaves or left.</summary>
    public long LastLeave { get; set; }

    /// <summary>The datagram that waits for the next one to overtake it.</summary>
    public Datagram? Held { get; set; }

    /// <summary>Tells a hold from earlier ones of this flow.</summary>
    public long HoldNumber { get; set; }

    /// <summary>A datagram has just been read.</summary>
    public void Arrive(ReadOnlySpan<byte> bytes, long now) => direction.Arrive(this, bytes, now);
}
