using System.Numerics;

namespace NetCoreNetworkBenchmark.Impairment;

// A datagram, or a chunk of a stream: the result of one read, one segment of it, or the end of the stream. The buffer is reused.
internal sealed class Chunk(int capacity)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _length;
    private int _sent;

    public int Capacity => _buffer.Length;
    public Span<byte> Bytes => _buffer.AsSpan(0, _length);

    public ReadOnlySpan<byte> Rest => Bytes[_sent..];
    public Flow Flow { get; private set; } = null!;

    /// <summary>Counts the outcome of the chunk; null if it arrived while the impairment was off, and for the end of a stream.</summary>
    public Counter? Counter { get; private set; }
    public long Arrived { get; private set; }

    /// <summary>A second copy that leaves directly after the chunk.</summary>
    public Chunk? Copy { get; set; }
    public bool IsCorrupted { get; set; }
    public bool IsEnd { get; set; }

    public void Fill(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        (Flow, Counter, Arrived) = (flow, counter, arrived);
        (Copy, IsCorrupted, IsEnd) = (null, false, false);
        (_length, _sent) = (bytes.Length, 0);
        bytes.CopyTo(_buffer);
    }

    public void Sent(int bytes)
    {
        _sent += bytes;
        if (Counter is not null)
        {
            Counter.ForwardedBytes += bytes;
        }
    }
}

/// <summary>By capacity (powers of two). The pool grows to the largest number of chunks that were in use at once.</summary>
internal sealed class ChunkPool
{
    private const int SmallestPower = 6;
    private const int LargestPower = 16;
    private readonly Stack<Chunk>[] _free = [.. Enumerable.Range(SmallestPower, LargestPower - SmallestPower + 1).Select(_ => new Stack<Chunk>())];

    public Chunk Rent(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        int index = IndexOf(bytes.Length);
        Chunk chunk = _free[index].TryPop(out Chunk? free) ? free : new Chunk(1 << (index + SmallestPower));
        chunk.Fill(flow, counter, bytes, arrived);
        return chunk;
    }

    public void Return(Chunk chunk) => _free[IndexOf(chunk.Capacity)].Push(chunk);

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
    public long Bytes { get; set; }
    public long WirePackets { get; set; }
    public long WireBytes { get; set; }
    public long ForwardedBytes { get; set; }
    public long DelayedBytes { get; set; }
    public long LongestQueue { get; set; }

    public RelayDirectionCounts ToCounts(long? missed, bool areStreams) =>
        new(Received, Forwarded, Dropped, Duplicated, Reordered, Corrupted, Overflowed, missed, Late)
        {
            Stream = areStreams ? new RelayStreamCounts(Bytes, ForwardedBytes, DelayedBytes, LongestQueue) : null,
            Wire = areStreams ? null : new WireTraffic(WirePackets, WireBytes),
        };
}
