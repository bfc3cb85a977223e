namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Bytes in flight, in a buffer that is reused: a datagram, or a chunk of a stream, which is the result of one read, one segment of it, or the end of
/// the stream.
/// </summary>
internal sealed class Chunk(int capacity)
{
    private readonly byte[] _buffer = new byte[capacity];
    private int _length;
    private int _sent;

    public int Capacity => _buffer.Length;

    public Span<byte> Bytes => _buffer.AsSpan(0, _length);

    /// <summary>The bytes that the system has not accepted yet.</summary>
    public ReadOnlySpan<byte> Rest => Bytes[_sent..];

    /// <summary>The flow that the piece belongs to, which also defines its target.</summary>
    public Flow Flow { get; private set; } = null!;

    /// <summary>Counts the outcome of the piece; null if it arrived while the impairment was off, and for the end of a stream.</summary>
    public Counter? Counter { get; private set; }

    /// <summary>The time at which the piece arrived.</summary>
    public long Arrived { get; private set; }

    /// <summary>A second copy that leaves directly after the piece.</summary>
    public Chunk? Copy { get; set; }

    /// <summary>Whether a byte of the piece was changed.</summary>
    public bool IsCorrupted { get; set; }

    /// <summary>Whether this is the end of a stream.</summary>
    public bool IsEnd { get; set; }

    public void Fill(Flow flow, Counter? counter, ReadOnlySpan<byte> bytes, long arrived)
    {
        (Flow, Counter, Arrived) = (flow, counter, arrived);
        (Copy, IsCorrupted, IsEnd) = (null, false, false);
        (_length, _sent) = (bytes.Length, 0);
        bytes.CopyTo(_buffer);
    }

    /// <summary>Records how many bytes of the rest the system has accepted.</summary>
    public void Sent(int bytes)
    {
        _sent += bytes;
        if (Counter is not null)
        {
            Counter.ForwardedBytes += bytes;
        }
    }
}
