using System.Numerics;

namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// A log-linear histogram of latencies in nanoseconds, with the bucket layout of HdrHistogram (Gil Tene,
/// http://hdrhistogram.org) for 1 ns to 60 s at three significant digits: every recorded value is known to 0.1 % or better.
/// One thread writes; others may read when it has stopped. Recording allocates no memory.
/// </summary>
public sealed class LatencyHistogram
{
    /// <summary>The largest value that is distinguished, in nanoseconds (60 s); a larger one is recorded as this value.</summary>
    public const long HighestTrackable = 60_000_000_000;

    // The layout in constants, for the path of a message: 2,048 sub-buckets hold 0..2047 to the unit. Every further octave adds 1,024
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

    /// <summary>The number of recorded values.</summary>
    public long Count => _total;

    /// <summary>The exact largest value in nanoseconds; 0 if no value was recorded.</summary>
    public long Max => _max;

    /// <summary>The exact smallest value in nanoseconds; 0 if no value was recorded.</summary>
    public long Min => _total == 0 ? 0 : _min;

    /// <summary>The arithmetic mean in nanoseconds, from the exact sum; 0 if no value was recorded.</summary>
    public double Mean => _total == 0 ? 0 : (double)_sum / _total;

    /// <summary>The counts up to the bucket of the largest value; at least one.</summary>
    internal ReadOnlySpan<long> Counts => _counts.AsSpan(0, IndexOf(_max) + 1);

    /// <summary>
    /// In the layout <see cref="BucketLayout.Latency"/>. May be called while a thread records: each count was true at some moment of the call, and the values
    /// of a bucket above the largest value so far may be missing.
    /// </summary>
    internal void AddCountsTo(Span<long> sums)
    {
        ReadOnlySpan<long> counts = _counts.AsSpan(0, IndexOf(Volatile.Read(ref _max)) + 1);
        for (int index = 0; index < counts.Length; index++)
        {
            sums[index] += counts[index];
        }
    }

    /// <summary>Records one latency.</summary>
    /// <param name="nanoseconds">The latency. A value below 0 counts as 0, and a value above <see cref="HighestTrackable"/> as that limit.</param>
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

    /// <summary>Forgets all values, while no thread records.</summary>
    public void Clear()
    {
        Array.Clear(_counts);
        (_total, _sum, _max, _min) = (0, 0, 0, long.MaxValue);
    }

    /// <summary>Returns a histogram with all values of others, which are no longer written to.</summary>
    public static LatencyHistogram Sum(IEnumerable<LatencyHistogram> histograms)
    {
        ArgumentNullException.ThrowIfNull(histograms);
        var sum = new LatencyHistogram();
        foreach (LatencyHistogram histogram in histograms)
        {
            sum.Add(histogram);
        }

        return sum;
    }

    /// <summary>Adds all values of another histogram to this one.</summary>
    /// <param name="other">The other histogram, which is no longer written to.</param>
    /// <exception cref="OverflowException">The sum of all values is beyond 64 bits: 292 years, which only a decoded histogram can contain.</exception>
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
    /// Returns the value at a percentile: the smallest value such that at least that share of all values is not larger. It is given as the
    /// highest value of its bucket (HdrHistogram's <c>getValueAtPercentile</c>), never above <see cref="Max"/>.
    /// </summary>
    /// <param name="percentile">The percentile, from 0 to 100; at 0 the result is <see cref="Min"/>.</param>
    /// <returns>The value in nanoseconds; 0 if no value was recorded.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not from 0 to 100.</exception>
    public long ValueAtPercentile(double percentile)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percentile);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percentile, 100);
        if (percentile == 0)
        {
            return Min;
        }

        return Math.Min(HighestAtPercentile(percentile, _counts, _total), _max);
    }

    /// <summary>Returns the highest value of the bucket at a percentile.</summary>
    /// <param name="percentile">The percentile, above 0 and up to 100.</param>
    /// <param name="counts">The counts of the buckets, of the layout <see cref="BucketLayout.Latency"/>.</param>
    /// <param name="total">The sum of the counts.</param>
    /// <returns>The value in nanoseconds; 0 if all counts are 0.</returns>
    public static long HighestAtPercentile(double percentile, ReadOnlySpan<long> counts, long total)
    {
        // As in HdrHistogram: one step of a double less, so that 99.9 % of 1,000 is 999 although the product is a little more.
        long rank = Math.Max(1, (long)Math.Ceiling(Math.BitDecrement(percentile) * total / 100));
        long cumulative = 0;
        for (int index = 0; index < counts.Length; index++)
        {
            cumulative += counts[index];
            if (cumulative >= rank)
            {
                return BucketLayout.Latency.At(index, 0).Highest;
            }
        }

        return 0;
    }

    /// <summary>Returns the buckets with recorded values, from the lowest to the highest.</summary>
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

    /// <summary>The exact values of another layout's bucket are not known: all count as its highest value, and in the mean as its middle.</summary>
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

    /// <param name="value">In nanoseconds, from 0 to <see cref="HighestTrackable"/>; a bucket's own bounds are valid too.</param>
    internal static int IndexOf(long value)
    {
        int bucket = SubBucketLeadingZeros - BitOperations.LeadingZeroCount((ulong)(value | SubBucketMask));
        int subBucket = (int)(value >> bucket);
        return (bucket << SubBucketHalfCountMagnitude) + subBucket;
    }
}
