namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A datagram under way.</summary>
internal sealed class Datagram(int capacity) : Parcel(capacity)
{
    /// <summary>Whose it is, and where it goes.</summary>
    public Flow Flow { get; private set; } = null!;

    /// <summary>Who counts what becomes of it; null where it came while the impairment was off.</summary>
    public DirectionCounter? Counter { get; private set; }

    /// <summary>When it came.</summary>
    public long Arrived { get; private set; }

    /// <summary>A second copy that leaves right behind it.</summary>
    public Datagram? Copy { get; set; }

    /// <summary>Whether a byte of it was changed.</summary>
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
