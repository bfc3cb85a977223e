namespace NetCoreNetworkBenchmark.Impairment;

// A datagram, or a chunk of a stream: the result of one read, one segment of it, or the end of the stream. The buffer is reused.
internal sealed class Chunk(int capacity)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _length;
    private int _sent;

    public int Capacity => _buffer.Length;

    public Span<byte> Bytes => _buffer.AsSpan(0, _length);

    /// <summary>The bytes that the system has not accepted yet.</summary>
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
