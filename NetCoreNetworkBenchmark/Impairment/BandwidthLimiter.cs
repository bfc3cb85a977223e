using System.Diagnostics;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>A line of limited bandwidth. Packets occupy it one after the other; waiting packets form a queue.</summary>
/// <param name="bitsPerSecond">The rate of the line.</param>
/// <param name="headerBytes">Header bytes of each packet, in addition to its own bytes.</param>
internal sealed class BandwidthLimiter(long bitsPerSecond, int headerBytes)
{
    private const double LeastQueueBits = 64 * 1024 * 8;
    private readonly double _ticksPerBit = (double)Stopwatch.Frequency / bitsPerSecond;
    private readonly long _longestWait = (long)(Stopwatch.Frequency * Math.Max(SecondsOfQueue, LeastQueueBits / bitsPerSecond));
    private long _free;

    /// <summary>The capacity of the queue, as the seconds that the line needs to send it; 64 KiB if that is more.</summary>
    public static double SecondsOfQueue => 1;

    /// <summary>Whether the queue is full, so that no more packets should arrive.</summary>
    public bool IsFullAt(long now) => _free - now > _longestWait;

    /// <summary>Sends a packet over the line.</summary>
    /// <param name="bytes">The size of the packet in bytes, without headers.</param>
    /// <param name="now">The time at which the packet reaches the line.</param>
    /// <returns>The time at which the packet has passed the line.</returns>
    public long Pass(int bytes, long now)
    {
        _free = Math.Max(now, _free) + (long)Math.Ceiling((bytes + headerBytes) * 8 * _ticksPerBit);
        return _free;
    }
}
