namespace NetCoreNetworkBenchmark.Recording;

/// <summary>The memory that a thread needs for a measurement of an open loop.</summary>
/// <param name="TicksPerPart">The length of a part of the course in ticks of the run's clock.</param>
/// <param name="Parts">The number of parts of the course.</param>
/// <param name="Rates">The number of parts of the measurement with a rate of their own; 1 if there is one rate.</param>
internal readonly record struct TimelineMemory(long TicksPerPart, int Parts, int Rates);

/// <summary>
/// The latencies of one thread in one measurement of an open loop, by the part of the measurement in which the messages were due. One thread writes. The
/// memory is reserved before the measurement, and the system provides it when it is first written.
/// </summary>
internal sealed class DueTimeline
{
    // Eight buckets of the histogram are one here: a latency is known to 0.8 %.
    private const int Coarseness = 3;
    private static readonly int s_length = (BucketLayout.Latency.Length >> Coarseness) + 1;

    private readonly long _ticksPerPart;
    private readonly int[] _counts;
    private long _start;

    /// <summary>Reserves the memory.</summary>
    /// <param name="ticksPerPart">The length of a part in ticks of the run's clock.</param>
    /// <param name="parts">The number of parts. A message that is due after the last one counts as due in it.</param>
    public DueTimeline(long ticksPerPart, int parts)
    {
        (_ticksPerPart, Parts) = (ticksPerPart, parts);
        _counts = new int[parts * s_length];
    }

    /// <summary>The number of parts.</summary>
    public int Parts { get; }

    /// <summary>Sets the begin of the first part, before the first call of <see cref="Record"/>.</summary>
    public void StartAt(long start) => _start = start;

    /// <summary>Records the latency of a message.</summary>
    public void Record(long due, long nanoseconds)
    {
        int part = (int)Math.Clamp((due - _start) / _ticksPerPart, 0, Parts - 1);
        int bucket = LatencyHistogram.IndexOf(Math.Clamp(nanoseconds, 0, LatencyHistogram.HighestTrackable)) >> Coarseness;
        _counts[(part * s_length) + bucket]++;
    }

    /// <summary>Adds the counts of a part to others.</summary>
    /// <param name="part">The number of the part, from 0.</param>
    /// <param name="sums">The counts to add to, of the layout <see cref="BucketLayout.Latency"/>.</param>
    /// <returns>The number of messages.</returns>
    public long AddTo(int part, Span<long> sums)
    {
        long total = 0;
        ReadOnlySpan<int> counts = _counts.AsSpan(part * s_length, s_length);
        for (int index = 0; index < counts.Length; index++)
        {
            total += counts[index];
            sums[Math.Min(((index + 1) << Coarseness) - 1, sums.Length - 1)] += counts[index];
        }

        return total;
    }
}
