namespace NetCoreNetworkBenchmark.Tests.Histograms;

public sealed class BucketLayoutTests
{
    [Theory]
    [InlineData(1, 60_000_000_000, 3, 26, 2048)]
    [InlineData(1, 60_000_000_000, 2, 29, 256)]
    [InlineData(1000, 60_000_000_000, 3, 17, 2048)]
    [InlineData(1024, 3_600_000_000_000, 3, 22, 2048)]
    [InlineData(1, 2, 0, 2, 2)]
    [InlineData(1, 2, 5, 1, 262144)]
    [InlineData(1, long.MaxValue, 1, 59, 32)]
    public void Layout_has_the_buckets_that_the_bounds_need(long lowest, long highest, int digits, int buckets, int subBuckets)
    {
        var layout = new BucketLayout(lowest, highest, digits);
        Assert.Equal((buckets, subBuckets, (buckets + 1) * (subBuckets / 2)), (layout.Buckets, layout.SubBuckets, layout.Length));
        Assert.InRange(highest, 0, layout.At(layout.Length - 1, 0).Highest);
    }

    [Theory, InlineData(1, 60_000_000_000, 3), InlineData(1000, 60_000_000_000, 2), InlineData(1, long.MaxValue, 1)]
    public void Buckets_follow_each_other_without_a_gap(long lowest, long highest, int digits)
    {
        var layout = new BucketLayout(lowest, highest, digits);
        Assert.Equal(0, layout.At(0, 0).Lowest);
        for (int index = 1; index < layout.Length; index++)
        {
            Assert.Equal(layout.At(index - 1, 0).Highest + 1, layout.At(index, 0).Lowest);
        }
    }

    [Fact]
    public void Record_counts_a_value_in_the_bucket_of_the_layout()
    {
        var layout = new BucketLayout(1, LatencyHistogram.HighestTrackable, 3);
        for (int index = 0; layout.At(index, 0).Highest < LatencyHistogram.HighestTrackable; index += 97)
        {
            HistogramBucket bucket = layout.At(index, 2);
            var histogram = new LatencyHistogram();
            histogram.Record(bucket.Lowest);
            histogram.Record(bucket.Highest);
            Assert.Equal(bucket, Assert.Single(histogram.RecordedBuckets()));
        }
    }
}
