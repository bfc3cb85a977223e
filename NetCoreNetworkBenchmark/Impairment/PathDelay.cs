using System.Diagnostics;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Computes how long packets are in flight in one direction. If the bandwidth is limited, they occupy a line one after the other, and waiting packets
/// form a queue; then the delay is added.
/// </summary>
/// <param name="plan">The bandwidth, the delay and the jitter.</param>
/// <param name="seed">The seed of the jitter.</param>
/// <param name="headerBytes">Header bytes of each packet, in addition to its own bytes.</param>
internal sealed class PathDelay(ImpairmentPlan plan, int seed, int headerBytes)
{
    // Any constant: the directions must not use the same random numbers.
    private const int OtherSeed = 0x5bd1e995;
    private const double LeastQueueBits = 64 * 1024 * 8;
    private readonly Random _jitter = new(seed);
    private readonly double _delayTicks = plan.Delay.TotalSeconds * Stopwatch.Frequency;
    private readonly double _jitterTicks = plan.Jitter.TotalSeconds * Stopwatch.Frequency;

    // Null without a limit.
    private readonly double? _ticksPerBit = (double)Stopwatch.Frequency / plan.BandwidthBitsPerSecond;

    private readonly long _longestWait = (long)(Stopwatch.Frequency * Math.Max(SecondsOfQueue, LeastQueueBits / plan.BandwidthBitsPerSecond ?? 0));

    private long _lineIsFree;

    /// <summary>The capacity of the queue, as the seconds that the line needs to send it; 64 KiB if that is more.</summary>
    public static double SecondsOfQueue => 1;

    /// <summary>Returns the seed of the direction to the clients, given the seed of the direction to the server.</summary>
    public static int SeedOfReturn(int seed) => seed ^ OtherSeed;

    /// <summary>Whether the line's queue is full, so that no more packets should arrive.</summary>
    public bool IsFullAt(long now) => _lineIsFree - now > _longestWait;

    /// <summary>Computes the time at which a packet leaves.</summary>
    /// <param name="bytes">The size of the packet in bytes, without headers.</param>
    /// <param name="arrived">The time at which the packet arrived.</param>
    /// <param name="now">The time at which the packet reaches the line.</param>
    /// <param name="last">The time at which the previous packet leaves. The packet does not overtake it.</param>
    /// <returns>The time at which the packet leaves.</returns>
    public long Pass(int bytes, long arrived, long now, long last)
    {
        if (_ticksPerBit is { } ticks)
        {
            arrived = _lineIsFree = Math.Max(now, _lineIsFree) + (long)Math.Ceiling((bytes + headerBytes) * 8 * ticks);
        }

        return Math.Max(arrived + DelayTicks(), last);
    }

    private long DelayTicks() => _jitterTicks == 0
        ? (long)_delayTicks
        : (long)Math.Max(0, _delayTicks + (((2 * _jitter.NextDouble()) - 1) * _jitterTicks));
}
