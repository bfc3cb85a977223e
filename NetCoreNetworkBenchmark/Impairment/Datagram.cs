using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A datagram under way, in a buffer that is used again.</summary>
internal sealed class Datagram(int capacity)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _length;

    public int Capacity => _buffer.Length;

    public Span<byte> Bytes => _buffer.AsSpan(0, _length);

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
        _length = bytes.Length;
        bytes.CopyTo(_buffer);
    }
}

/// <summary>Datagrams that are not under way, by the size of their buffers: powers of two. It grows to the most that were under way at once.</summary>
internal sealed class DatagramPool
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<Datagram>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<Datagram>())];

    public Datagram Rent(int length)
    {
        int index = IndexOf(length);
        return _free[index].TryPop(out Datagram? datagram) ? datagram : new Datagram(1 << (index + SmallestPower));
    }

    public void Return(Datagram datagram) => _free[IndexOf(datagram.Capacity)].Push(datagram);

    private static int IndexOf(int length) =>
        Math.Max(BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)length)), SmallestPower) - SmallestPower;
}
