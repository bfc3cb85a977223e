using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

// A datagram or an IP packet. The buffer is reused.
internal sealed class Packet(int capacity)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _length;

    public int Capacity => _buffer.Length;
    public Span<byte> Bytes => _buffer.AsSpan(0, _length);
    public Flow Flow { get; private set; } = null!;

    /// <summary>Counts the outcome of the packet; null if it arrived while the impairment was off.</summary>
    public Counter? Counter { get; private set; }
    public long Arrived { get; private set; }

    /// <summary>A second copy that leaves directly after the packet.</summary>
    public Packet? Copy { get; set; }
    public bool IsCorrupted { get; set; }

    public void Fill(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        (Flow, Counter, Arrived) = (flow, counter, arrived);
        (Copy, IsCorrupted) = (null, false);
        _length = bytes.Length;
        bytes.CopyTo(_buffer);
    }
}

/// <summary>By capacity (powers of two). The pool grows to the largest number of packets that were in use at once.</summary>
internal sealed class PacketPool
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<Packet>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<Packet>())];

    public Packet Rent(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        int index = IndexOf(bytes.Length);
        Packet packet = _free[index].TryPop(out Packet? free) ? free : new Packet(1 << (index + SmallestPower));
        packet.Fill(flow, counter, bytes, arrived);
        return packet;
    }

    public void Return(Packet packet) => _free[IndexOf(packet.Capacity)].Push(packet);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}

internal sealed class Counter
{
    public long Received { get; set; }
    public long Forwarded { get; set; }
    public long Dropped { get; set; }
    public long Duplicated { get; set; }
    public long Reordered { get; set; }
    public long Corrupted { get; set; }
    public long Overflowed { get; set; }
    public long Late { get; set; }
    public long WirePackets { get; set; }
    public long WireBytes { get; set; }

    public RelayDirectionCounts ToCounts(long? missed) =>
        new(Received, Forwarded, Dropped, Duplicated, Reordered, Corrupted, Overflowed, missed, Late) { Wire = new WireTraffic(WirePackets, WireBytes) };
}
