using System.Numerics;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// A log-linear histogram of latencies in nanoseconds, with the bucket layout of HdrHistogram (Gil Tene,
/// http://hdrhistogram.org) for 1 ns to 60 s at three significant digits: every recorded value is known to 0.1 % or better.
/// One thread writes; others may read when it has stopped. Recording allocates nothing.
/// </summary>
public sealed class LatencyHistogram
{
    /// <summary>The largest value that is told apart, in nanoseconds (60 s); a larger one is recorded as this.</summary>
    public const long HighestTrackable = 60_000_000_000;

    // 2,048 sub-buckets hold 0..2047 to the unit; every further octave adds 1,024 of twice the width (three digits need 2,000).
    private const int SubBucketHalfCountMagnitude = 10;
    private const int SubBucketHalfCount = 1 << SubBucketHalfCountMagnitude;
    private const long SubBucketMask = (SubBucketHalfCount * 2) - 1;
    private const int SubBucketLeadingZeros = 64 - SubBucketHalfCountMagnitude - 1;

    private static readonly int s_countsLength = IndexOf(HighestTrackable) + 1;

    private readonly long[] _counts = new long[s_countsLength];
    private long _total;
    private long _sum;
    private long _max;
    private long _min = long.MaxValue;

    /// <summary>How many values were recorded.</summary>
    public long Count => _total;

    /// <summary>The largest value in nanoseconds, exactly; 0 where none was recorded.</summary>
    public long Max => _max;

    /// <summary>The smallest value in nanoseconds, exactly; 0 where none was recorded.</summary>
    public long Min => _total == 0 ? 0 : _min;

    /// <summary>The arithmetic mean in nanoseconds, from the exact sum; 0 where none was recorded.</summary>
    public double Mean => _total == 0 ? 0 : (double)_sum / _total;

    /// <summary>Records one latency.</summary>
    /// <param name="nanoseconds">The latency; below 0 counts as 0, above <see cref="HighestTrackable"/> as that.</param>
    public void Record(long nanoseconds)
    {
        long value = Math.Clamp(nanoseconds, 0, HighestTrackable);
        _counts[IndexOf(value)]++;
        _total++;
        _sum += value;
        if (value > _max)
        {
            _max = value;
        }

        if (value < _min)
        {
            _min = value;
        }
    }

    /// <summary>Adds all values of another histogram to this one.</summary>
    /// <param name="other">The other histogram, which nobody writes to any more.</param>
    public void Add(LatencyHistogram other)
    {
        for (int index = 0; index < _counts.Length; index++)
        {
            _counts[index] += other._counts[index];
        }

        _total += other._total;
        _sum += other._sum;
        _max = Math.Max(_max, other._max);
        _min = Math.Min(_min, other._min);
    }

    /// <summary>
    /// The value at a percentile: the smallest one such that at least that share of all values is not larger, given as the
    /// highest value of its bucket (HdrHistogram's <c>getValueAtPercentile</c>), never above <see cref="Max"/>.
    /// </summary>
    /// <param name="percentile">From 0 to 100.</param>
    /// <returns>Nanoseconds; 0 where none was recorded.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not from 0 to 100.</exception>
    public long ValueAtPercentile(double percentile)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percentile);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percentile, 100);
        long rank = Math.Max(1, (long)Math.Ceiling(percentile / 100 * _total));
        long seen = 0;
        for (int index = 0; index < _counts.Length; index++)
        {
            seen += _counts[index];
            if (seen >= rank)
            {
                return Math.Min(HighestEquivalent(index), _max);
            }
        }

        return 0;
    }

    private static int IndexOf(long value)
    {
        int bucket = SubBucketLeadingZeros - BitOperations.LeadingZeroCount((ulong)(value | SubBucketMask));
        int subBucket = (int)(value >> bucket);
        return (bucket << SubBucketHalfCountMagnitude) + subBucket;
    }

    private static long HighestEquivalent(int index)
    {
        int bucket = Math.Max(0, (index >> SubBucketHalfCountMagnitude) - 1);
        long subBucket = index - ((long)bucket << SubBucketHalfCountMagnitude);
        return ((subBucket + 1) << bucket) - 1;
    }
}
