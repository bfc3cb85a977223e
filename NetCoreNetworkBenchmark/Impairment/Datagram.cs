namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A datagram in flight.</summary>
internal sealed class Datagram(int capacity) : PacketBuffer(capacity)
{
    /// <summary>The flow that the datagram belongs to, which also defines its target.</summary>
    public Flow Flow { get; private set; } = null!;

    /// <summary>Counts the outcome of the datagram; null if it arrived while the impairment was off.</summary>
    public DirectionCounter? Counter { get; private set; }

    /// <summary>The time at which the datagram arrived.</summary>
    public long Arrived { get; private set; }

    /// <summary>A second copy that leaves directly after the datagram.</summary>
    public Datagram? Copy { get; set; }

    /// <summary>Whether a byte of the datagram was changed.</summary>
    public bool IsCorrupted { get; set; }

    public void Fill(Flow flow, DirectionCounter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        Flow = flow;
        Counter = counter;
        Arrived = arrived;
        Copy = null;
        IsCorrupted = false;
        Fill(bytes);
    }
}
