using System.Numerics;

namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// A log-linear histogram of latencies in nanoseconds, with the bucket layout of HdrHistogram (Gil Tene,
/// http://hdrhistogram.org) for 1 ns to 60 s at three significant digits: every recorded value is known to 0.1 % or better.
/// One thread writes; others may read when it has stopped. Recording allocates nothing.
/// </summary>
public sealed class LatencyHistogram
{
    /// <summary>The largest value that is told apart, in nanoseconds (60 s); a larger one is recorded as this.</summary>
    public const long HighestTrackable = 60_000_000_000;

    // The layout in constants, for the path of a message: 2,048 sub-buckets hold 0..2047 to the unit; every further octave adds 1,024
    // of twice the width (three digits need 2,000).
    private const int SubBucketHalfCountMagnitude = 10;
    private const int SubBucketHalfCount = 1 << SubBucketHalfCountMagnitude;
    private const long SubBucketMask = (SubBucketHalfCount * 2) - 1;
    private const int SubBucketLeadingZeros = 64 - SubBucketHalfCountMagnitude - 1;

    private readonly long[] _counts = new long[BucketLayout.Latency.Length];
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

    /// <summary>The counts up to the bucket of the largest value; at least one.</summary>
    internal ReadOnlySpan<long> Counts => _counts.AsSpan(0, IndexOf(_max) + 1);

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
    /// <exception cref="OverflowException">The sum of all values is beyond 64 bits: 292 years, which only a decoded histogram can have.</exception>
    public void Add(LatencyHistogram other)
    {
        (_total, _sum) = checked((_total + other._total, _sum + other._sum));
        for (int index = 0; index < _counts.Length; index++)
        {
            _counts[index] += other._counts[index];
        }

        _max = Math.Max(_max, other._max);
        _min = Math.Min(_min, other._min);
    }

    /// <summary>
    /// The value at a percentile: the smallest one such that at least that share of all values is not larger, given as the
    /// highest value of its bucket (HdrHistogram's <c>getValueAtPercentile</c>), never above <see cref="Max"/>.
    /// </summary>
    /// <param name="percentile">From 0 to 100; at 0 it is <see cref="Min"/>.</param>
    /// <returns>Nanoseconds; 0 where none was recorded.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not from 0 to 100.</exception>
    public long ValueAtPercentile(double percentile)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percentile);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percentile, 100);
        if (percentile == 0)
        {
            return Min;
        }

        // As HdrHistogram does it: one step of a double less, so that 99.9 % of 1,000 is 999 although the product is a little more.
        long rank = Math.Max(1, (long)Math.Ceiling(Math.BitDecrement(percentile) * _total / 100));
        long seen = 0;
        for (int index = 0; index < _counts.Length; index++)
        {
            seen += _counts[index];
            if (seen >= rank)
            {
                return Math.Min(BucketLayout.Latency.At(index, 0).Highest, _max);
            }
        }

        return 0;
    }

    /// <summary>The buckets that something was recorded in, from the lowest to the highest.</summary>
    /// <returns>Buckets whose count is at least 1, in nanoseconds.</returns>
    public IEnumerable<HistogramBucket> RecordedBuckets()
    {
        for (int index = 0; index < _counts.Length; index++)
        {
            if (_counts[index] != 0)
            {
                yield return BucketLayout.Latency.At(index, _counts[index]);
            }
        }
    }

    /// <summary>
    /// Adds the values of a bucket of another layout, of which no more is known: all count as its highest value, in the mean as its
    /// middle.
    /// </summary>
    /// <exception cref="FormatException">The bucket is beyond the last one here, or there are more values than can be added up.</exception>
    internal void Add(HistogramBucket bucket)
    {
        int index = IndexOf(bucket.Highest);
        if (index >= _counts.Length)
        {
            long last = BucketLayout.Latency.At(_counts.Length - 1, 0).Highest;
            throw new FormatException($"The histogram holds a value of {bucket.Highest}, more than the {last} ns that can be kept.");
        }

        try
        {
            _total = checked(_total + bucket.Count);
            _sum = checked(_sum + (bucket.Median * bucket.Count));
        }
        catch (OverflowException exception)
        {
            throw new FormatException("The counts of the histogram are too large to be added up.", exception);
        }

        _counts[index] += bucket.Count;
        _max = Math.Max(_max, bucket.Highest);
        _min = Math.Min(_min, bucket.Lowest);
    }

    private static int IndexOf(long value)
    {
        int bucket = SubBucketLeadingZeros - BitOperations.LeadingZeroCount((ulong)(value | SubBucketMask));
        int subBucket = (int)(value >> bucket);
        return (bucket << SubBucketHalfCountMagnitude) + subBucket;
    }
}
