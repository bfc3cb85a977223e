using System.Diagnostics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A line of limited bandwidth: one parcel after the other occupies it, those that wait queue.</summary>
/// <param name="bitsPerSecond">Its rate.</param>
/// <param name="headerBytes">Bytes of headers that every parcel has besides its own.</param>
internal sealed class Line(long bitsPerSecond, int headerBytes)
{
    private const double LeastQueueBits = 64 * 1024 * 8;
    private readonly double _ticksPerBit = (double)Stopwatch.Frequency / bitsPerSecond;
    private readonly long _longestWait = (long)(Stopwatch.Frequency * Math.Max(SecondsOfQueue, LeastQueueBits / bitsPerSecond));
    private long _free;

    /// <summary>What the queue holds, in the time that the line takes for it, unless 64 KiB are more.</summary>
    public static double SecondsOfQueue => 1;

    /// <summary>Whether the queue is full, so that nothing more should come.</summary>
    public bool IsFullAt(long now) => _free - now > _longestWait;

    /// <summary>Sends a parcel over the line.</summary>
    /// <param name="bytes">Its bytes without headers.</param>
    /// <param name="now">When it comes to the line.</param>
    /// <returns>When it has passed.</returns>
    public long Pass(int bytes, long now)
    {
        _free = Math.Max(now, _free) + (long)Math.Ceiling((bytes + headerBytes) * 8 * _ticksPerBit);
        return _free;
    }
}
