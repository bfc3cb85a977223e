using System.Diagnostics;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>How long parcels are under way in one direction: they pass the line, where there is one, and then take the delay.</summary>
/// <param name="plan">The bandwidth, the delay and what it varies by.</param>
/// <param name="seed">Decides what it varies by.</param>
/// <param name="headerBytes">Bytes of headers that every parcel has besides its own.</param>
internal sealed class Way(ImpairmentPlan plan, int seed, int headerBytes)
{
    // Any constant: the directions must not meet the same fates.
    private const int OtherSeed = 0x5bd1e995;

    private readonly Line? _line = plan.BandwidthBitsPerSecond is { } rate ? new Line(rate, headerBytes) : null;
    private readonly Random _jitter = new(seed);
    private readonly double _delayTicks = plan.Delay.TotalSeconds * Stopwatch.Frequency;
    private readonly double _jitterTicks = plan.Jitter.TotalSeconds * Stopwatch.Frequency;

    public bool HasLine => _line is not null;

    /// <summary>The seed of the direction to the clients, where the other has this one.</summary>
    public static int SeedOfReturn(int seed) => seed ^ OtherSeed;

    /// <summary>Whether the line's queue is full.</summary>
    public bool IsFullAt(long now) => _line?.IsFullAt(now) ?? false;

    /// <summary>Sends a parcel on its way.</summary>
    /// <param name="bytes">Its bytes without headers.</param>
    /// <param name="arrived">When it came.</param>
    /// <param name="now">When it comes to the line.</param>
    /// <param name="last">When the one before it leaves, which it does not overtake.</param>
    /// <returns>When it leaves.</returns>
    public long Pass(int bytes, long arrived, long now, long last) => Math.Max((_line?.Pass(bytes, now) ?? arrived) + DelayTicks(), last);

    private long DelayTicks() => _jitterTicks == 0
        ? (long)_delayTicks
        : (long)Math.Max(0, _delayTicks + (((2 * _jitter.NextDouble()) - 1) * _jitterTicks));
}
