namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A piece of a stream under way: what one read found, or one segment of it, or the end of the stream.</summary>
internal sealed class Chunk(int capacity) : Parcel(capacity)
{
    private int _sent;

    /// <summary>Whose it is, and where it goes.</summary>
    public StreamFlow Flow { get; private set; } = null!;

    /// <summary>Who counts what becomes of it; null where it came while the impairment was off, and for the end.</summary>
    public StreamCounter? Counter { get; private set; }

    /// <summary>Whether nothing comes behind it.</summary>
    public bool IsEnd { get; private set; }

    /// <summary>What the system has not taken yet.</summary>
    public ReadOnlySpan<byte> Rest => Bytes[_sent..];

    public void Fill(StreamFlow flow, StreamCounter? counter, ReadOnlySpan<byte> bytes, bool isEnd)
    {
        Flow = flow;
        Counter = counter;
        IsEnd = isEnd;
        _sent = 0;
        Fill(bytes);
    }

    /// <summary>The system has taken so many bytes of the rest.</summary>
    public void Sent(int bytes)
    {
        _sent += bytes;
        if (Counter is not null)
        {
            Counter.ForwardedBytes += bytes;
        }
    }
}
