namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A piece of a stream in flight: the result of one read, one segment of it, or the end of the stream.</summary>
internal sealed class Chunk(int capacity) : PacketBuffer(capacity)
{
    private int _sent;

    /// <summary>The flow that the chunk belongs to, which also defines its target.</summary>
    public StreamFlow Flow { get; private set; } = null!;

    /// <summary>Counts the outcome of the chunk; null if it arrived while the impairment was off, and for the end of the stream.</summary>
    public StreamCounter? Counter { get; private set; }

    /// <summary>Whether this is the end of the stream.</summary>
    public bool IsEnd { get; private set; }

    /// <summary>The bytes that the system has not accepted yet.</summary>
    public ReadOnlySpan<byte> Rest => Bytes[_sent..];

    public void Fill(StreamFlow flow, StreamCounter? counter, ReadOnlySpan<byte> bytes, bool isEnd)
    {
        Flow = flow;
        Counter = counter;
        IsEnd = isEnd;
        _sent = 0;
        Fill(bytes);
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
