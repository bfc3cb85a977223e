using System.Diagnostics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A line of limited bandwidth: one datagram after the other occupies it, those that wait queue.</summary>
internal sealed class Line(long bitsPerSecond)
{
    // RFC 791 (20, without options) and RFC 768 (8).
    private const int HeaderBytes = 28;
    private const double SecondsOfQueue = 1;
    private const double LeastQueueBits = 64 * 1024 * 8;
    private readonly double _ticksPerBit = (double)Stopwatch.Frequency / bitsPerSecond;
    private readonly long _longestWait = (long)(Stopwatch.Frequency * Math.Max(SecondsOfQueue, LeastQueueBits / bitsPerSecond));
    private long _free;

    /// <summary>Sends a datagram over the line.</summary>
    /// <param name="bytes">Bytes of the datagram without its headers.</param>
    /// <param name="now">When it comes to the line.</param>
    /// <param name="end">When it has passed.</param>
    /// <returns>False where the queue is full, so that the datagram is dropped.</returns>
    public bool TryPass(int bytes, long now, out long end)
    {
        long start = Math.Max(now, _free);
        end = start + (long)Math.Ceiling((bytes + HeaderBytes) * 8 * _ticksPerBit);
        if (start - now > _longestWait)
        {
            return false;
        }

        _free = end;
        return true;
    }
}
