namespace NetCoreNetworkBenchmark.Impairment;

// If the bandwidth is limited, packets occupy a line one after the other, and waiting packets form a queue; then the delay is added.
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

    public static int SeedOfReturn(int seed) => seed ^ OtherSeed;

    public bool IsFullAt(long now) => _lineIsFree - now > _longestWait;

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
