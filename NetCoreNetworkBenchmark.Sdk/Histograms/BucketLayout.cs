using System.Numerics;

namespace NetCoreNetworkBenchmark.Histograms;

/// <summary>
/// The layout of an HdrHistogram of given bounds: the values that share a count. The first bucket has one sub-bucket for each unit. Each further bucket is the
/// next octave, in half as many sub-buckets of twice the width.
/// </summary>
public sealed class BucketLayout
{
    private readonly int _unitMagnitude;
    private readonly int _halfCountMagnitude;

    /// <param name="lowest">The smallest value that is distinguished from 0; the unit is the power of two at or below it.</param>
    /// <param name="highest">The largest value that can be recorded.</param>
    /// <param name="digits">Significant decimal digits, 0 to 5.</param>
    /// <exception cref="FormatException">No layout has these bounds.</exception>
    public BucketLayout(long lowest, long highest, int digits)
    {
        if (digits is < 0 or > 5)
        {
            throw new FormatException($"A histogram has 0 to 5 significant digits, not {digits}.");
        }

        // At 2,000, a step of two units keeps three digits; at 1,999 it does not. Single steps are needed up to twice the power of ten.
        int countMagnitude = BitOperations.Log2((2 * (uint)Math.Pow(10, digits)) - 1) + 1;
        if (lowest < 1 || highest / 2 < lowest || countMagnitude + BitOperations.Log2((ulong)lowest) > 62)
        {
            throw new FormatException($"No histogram of {digits} significant digits has the range {lowest} to {highest}.");
        }

        (Lowest, Highest, Digits) = (lowest, highest, digits);
        _unitMagnitude = BitOperations.Log2((ulong)lowest);
        _halfCountMagnitude = countMagnitude - 1;
        SubBuckets = 1 << countMagnitude;
        Buckets = Math.Max(1, BitOperations.Log2((ulong)highest) + 2 - countMagnitude - _unitMagnitude);
        Length = (Buckets + 1) * (SubBuckets / 2);
    }

    /// <summary>The layout of <see cref="LatencyHistogram"/>.</summary>
    public static BucketLayout Latency { get; } = new(lowest: 1, LatencyHistogram.HighestTrackable, digits: 3);

    /// <summary>The smallest value that is distinguished from 0.</summary>
    public long Lowest { get; }

    /// <summary>The largest value that can be recorded; the last bucket may reach further.</summary>
    public long Highest { get; }

    /// <summary>Significant decimal digits.</summary>
    public int Digits { get; }

    /// <summary>The number of buckets, each an octave.</summary>
    public int Buckets { get; }

    /// <summary>The number of sub-buckets of the first bucket.</summary>
    public int SubBuckets { get; }

    /// <summary>The number of counts.</summary>
    public int Length { get; }

    /// <summary>Returns the bucket of an index, with its count.</summary>
    public HistogramBucket At(int index, long count)
    {
        int octave = Math.Max(0, (index >> _halfCountMagnitude) - 1);
        int magnitude = octave + _unitMagnitude;
        long lowest = (index - ((long)octave << _halfCountMagnitude)) << magnitude;
        return new HistogramBucket(lowest, lowest + ((1L << magnitude) - 1), count);
    }
}

/// <summary>Values that a histogram does not distinguish, and the number of them that were recorded.</summary>
/// <param name="Lowest">The smallest value of the bucket (HdrHistogram's <c>lowestEquivalentValue</c>).</param>
/// <param name="Highest">The largest value of the bucket (HdrHistogram's <c>highestEquivalentValue</c>).</param>
/// <param name="Count">The number of values that were recorded in it.</param>
public readonly record struct HistogramBucket(long Lowest, long Highest, long Count)
{
    /// <summary>The value in the middle, rounded up (HdrHistogram's <c>medianEquivalentValue</c>).</summary>
    public long Median => Lowest + ((Highest - Lowest + 1) >> 1);
}
