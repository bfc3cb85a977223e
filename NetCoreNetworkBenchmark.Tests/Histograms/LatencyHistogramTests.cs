namespace NetCoreNetworkBenchmark.Tests.Histograms;

public sealed class LatencyHistogramTests
{
    private static readonly double[] s_percentiles = [0, 1, 10, 50, 90, 99, 99.9, 99.99, 100];

    public static TheoryData<string> Distributions => ["uniform", "exponential", "two modes", "one value", "nanoseconds", "seconds"];

    [Theory, MemberData(nameof(Distributions))]
    public void ValueAtPercentile_is_that_of_the_sorted_samples_to_three_digits(string distribution)
    {
        long[] samples = Samples(distribution);
        var histogram = new LatencyHistogram();
        Array.ForEach(samples, histogram.Record);
        Array.Sort(samples);
        foreach (double percentile in s_percentiles)
        {
            int rank = Math.Max(1, (int)Math.Ceiling((decimal)percentile / 100 * samples.Length));
            long exact = samples[rank - 1];
            long value = histogram.ValueAtPercentile(percentile);
            Assert.InRange(value, exact, exact + Math.Max(0, exact / 1000));
        }
    }

    [Theory, MemberData(nameof(Distributions))]
    public void Mean_min_max_and_count_are_exact(string distribution)
    {
        long[] samples = Samples(distribution);
        var histogram = new LatencyHistogram();
        Array.ForEach(samples, histogram.Record);
        Assert.Equal(samples.Average(), histogram.Mean, tolerance: 1e-6 * samples.Average());
        Assert.Equal(samples.Min(), histogram.Min);
        Assert.Equal(samples.Max(), histogram.Max);
        Assert.Equal(samples.Length, histogram.Count);
    }

    [Fact]
    public void Add_gives_what_recording_both_would_have_given()
    {
        var (one, other, both) = (new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram());
        foreach (long sample in Samples("uniform"))
        {
            one.Record(sample);
            both.Record(sample);
        }

        foreach (long sample in Samples("seconds"))
        {
            other.Record(sample);
            both.Record(sample);
        }

        one.Add(other);
        Assert.Equal(both.Count, one.Count);
        Assert.Equal(both.Mean, one.Mean);
        Assert.Equal((both.Min, both.Max), (one.Min, one.Max));
        Assert.All(s_percentiles, percentile => Assert.Equal(both.ValueAtPercentile(percentile), one.ValueAtPercentile(percentile)));
    }

    [Fact]
    public void Record_keeps_values_beyond_the_range_at_its_ends()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(-5);
        histogram.Record(LatencyHistogram.HighestTrackable * 2);
        Assert.Equal(0, histogram.Min);
        Assert.Equal(LatencyHistogram.HighestTrackable, histogram.Max);
        Assert.Equal(LatencyHistogram.HighestTrackable, histogram.ValueAtPercentile(100));
    }

    [Fact]
    public void ValueAtPercentile_is_not_one_value_too_high_where_the_product_is_rounded_up()
    {
        LatencyHistogram histogram = ReferenceVectors.Record(Enumerable.Range(1, 1000).Select(number => (long)number));
        Assert.Equal(999, histogram.ValueAtPercentile(99.9));
    }

    [Fact]
    public void RecordedBuckets_are_those_with_a_count_in_their_order()
    {
        LatencyHistogram histogram = ReferenceVectors.Record(5_001, 7, 5_000, 7, 2_048);
        Assert.Equal([new(7, 7, 2), new(2_048, 2_049, 1), new(5_000, 5_003, 2)], histogram.RecordedBuckets());
        Assert.Equal([7, 2_049, 5_002], histogram.RecordedBuckets().Select(bucket => bucket.Median));
    }

    [Fact]
    public void Empty_histogram_has_zeros()
    {
        var histogram = new LatencyHistogram();
        Assert.Equal((0, 0, 0d, 0), (histogram.Min, histogram.Max, histogram.Mean, histogram.ValueAtPercentile(50)));
    }

    [Theory, InlineData(-0.1), InlineData(100.1)]
    public void ValueAtPercentile_refuses_what_is_no_percentile(double percentile) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new LatencyHistogram().ValueAtPercentile(percentile));

    [Fact]
    public void Record_allocates_nothing()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(1);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int value = 0; value < 10_000; value++)
        {
            histogram.Record(value * 7919L);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static long[] Samples(string distribution)
    {
        var random = new Random(42);
        Func<long> next = distribution switch
        {
            "uniform" => () => random.NextInt64(1_000, 10_000_000),
            "exponential" => () => (long)(-Math.Log(1 - random.NextDouble()) * 50_000),
            "two modes" => () => random.Next(10) == 0 ? random.NextInt64(40_000_000, 50_000_000) : random.NextInt64(20_000, 30_000),
            "one value" => () => 123_457,
            "nanoseconds" => () => random.NextInt64(0, 5_000),
            "seconds" => () => random.NextInt64(1_000_000_000, 60_000_000_000),
            _ => throw new ArgumentOutOfRangeException(nameof(distribution)),
        };
        return [.. Enumerable.Range(0, 20_000).Select(_ => next())];
    }
}
