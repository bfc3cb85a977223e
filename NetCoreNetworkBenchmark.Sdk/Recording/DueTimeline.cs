namespace NetCoreNetworkBenchmark.Recording;

/// <summary>One thread writes. The memory is reserved before the measurement, and the system provides it when it is first written.</summary>
internal sealed class DueTimeline
{
    // Eight buckets of the histogram are one here: a latency is known to 0.8 %.
    private const int Coarseness = 3;
    private static readonly int s_length = (BucketLayout.Latency.Length >> Coarseness) + 1;

    private readonly long _ticksPerPart;
    private readonly int[] _counts;
    private long _start;

    /// <param name="ticksPerPart">The length of a part in ticks of the run's clock.</param>
    /// <param name="parts">The number of parts. A message that is due after the last one counts as due in it.</param>
    public DueTimeline(long ticksPerPart, int parts)
    {
        (_ticksPerPart, Parts) = (ticksPerPart, parts);
        _counts = new int[parts * s_length];
    }

    public int Parts { get; }

    /// <summary>Called before the first call of <see cref="Record"/>.</summary>
    public void StartAt(long start) => _start = start;

    public void Record(long due, long nanoseconds)
    {
        int part = (int)Math.Clamp((due - _start) / _ticksPerPart, 0, Parts - 1);
        int bucket = LatencyHistogram.IndexOf(Math.Clamp(nanoseconds, 0, LatencyHistogram.HighestTrackable)) >> Coarseness;
        _counts[(part * s_length) + bucket]++;
    }

    /// <summary>Adds the counts of a part, from 0, in the layout <see cref="BucketLayout.Latency"/>.</summary>
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
