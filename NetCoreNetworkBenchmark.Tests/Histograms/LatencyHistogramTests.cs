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
            Assert.InRange(histogram.ValueAtPercentile(percentile), exact, exact + Math.Max(0, exact / 1000));
        }
    }

    [Theory, MemberData(nameof(Distributions))]
    public void Mean_min_max_and_count_are_exact(string distribution)
    {
        long[] samples = Samples(distribution);
        var histogram = new LatencyHistogram();
        Array.ForEach(samples, histogram.Record);
        Assert.Equal(samples.Average(), histogram.Mean, tolerance: 1e-6 * samples.Average());
        Assert.Equal((samples.Min(), samples.Max(), samples.Length), (histogram.Min, histogram.Max, histogram.Count));
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
        Assert.Equal((both.Count, both.Mean, both.Min, both.Max), (one.Count, one.Mean, one.Min, one.Max));
        Assert.All(s_percentiles, percentile => Assert.Equal(both.ValueAtPercentile(percentile), one.ValueAtPercentile(percentile)));
    }

    [Fact]
    public void Record_keeps_values_beyond_the_range_at_its_ends()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(-5);
        histogram.Record(LatencyHistogram.HighestTrackable * 2);
        Assert.Equal((0, LatencyHistogram.HighestTrackable), (histogram.Min, histogram.Max));
        Assert.Equal(LatencyHistogram.HighestTrackable, histogram.ValueAtPercentile(100));
    }

    [Fact]
    public void ValueAtPercentile_is_not_one_value_too_high_where_the_product_is_rounded_up() =>
        Assert.Equal(999, ReferenceVectors.Record(Enumerable.Range(1, 1000).Select(number => (long)number)).ValueAtPercentile(99.9));

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

        // The first time, the runtime may allocate while it compiles.
        RecordMany();
        long before = GC.GetAllocatedBytesForCurrentThread();
        RecordMany();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void RecordMany()
        {
            for (int value = 0; value < 10_000; value++)
            {
                histogram.Record(value * 7919L);
            }
        }
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

public sealed class BucketLayoutTests
{
    [Theory]
    [InlineData(1, 60_000_000_000, 3, 26, 2048), InlineData(1, 60_000_000_000, 2, 29, 256), InlineData(1000, 60_000_000_000, 3, 17, 2048)]
    [InlineData(1024, 3_600_000_000_000, 3, 22, 2048), InlineData(1, 2, 0, 2, 2), InlineData(1, 2, 5, 1, 262144), InlineData(1, long.MaxValue, 1, 59, 32)]
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

/// <summary>The golden files are the output of HdrHistogram for Java 2.1.11 (<c>outputPercentileDistribution</c>) for the same values.</summary>
public sealed class PercentileDistributionTests
{
    [Fact]
    public void Write_gives_the_text_of_the_reference_in_microseconds() => Assert.Equal(Reference("cubes"), Text(ReferenceVectors.Cubes(), 1000));

    [Fact]
    public void Write_gives_the_text_of_the_reference_in_nanoseconds() =>
        Assert.Equal(Reference("few"), Text(ReferenceVectors.Record(ReferenceVectors.FewValues), 1));

    [Fact]
    public void Write_of_an_empty_histogram_has_no_lines_but_the_footer() => Assert.Equal(
        """
               Value     Percentile TotalCount 1/(1-Percentile)

        #[Mean    =        0.000, StdDeviation   =        0.000]
        #[Max     =        0.000, Total count    =            0]
        #[Buckets =           26, SubBuckets     =         2048]

        """,
        Text(new LatencyHistogram(), 1000),
        ignoreLineEndingDifferences: true);

    [Fact]
    public void StandardDeviation_is_that_of_the_reference()
    {
        Assert.Equal(1.4195697870091703E10, PercentileDistribution.StandardDeviation(ReferenceVectors.Cubes()), tolerance: 0.1);
        Assert.Equal(0, PercentileDistribution.StandardDeviation(new LatencyHistogram()));
    }

    [Theory, InlineData(0), InlineData(-1), InlineData(double.NaN)]
    public void Write_refuses_a_unit_below_a_nanosecond(double unitRatio) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Text(new LatencyHistogram(), unitRatio));

    private static string Reference(string name) => File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Histograms", $"{name}.hgrm.golden"));

    private static string Text(LatencyHistogram histogram, double unitRatio)
    {
        using var writer = new StringWriter();
        PercentileDistribution.Write(histogram, writer, unitRatio);
        return writer.ToString();
    }
}

public sealed class HistogramLogTests
{
    private static readonly DateTimeOffset s_start = DateTimeOffset.FromUnixTimeMilliseconds(1441812279474);

    // The histogram was written by HdrHistogram for Java 2.1.11 (HistogramLogWriter): 1,000 and 2,769,000 recorded in one interval.
    private const string ReferenceHistogram = "HISTFAAAACh42pNpmSzMwMDAzgABzFCaEYh5f7hHMNh/gAic52fau5WRCQB17QZ6";

    private const string ReferenceLog =
        $"""
        #[Histogram log format version 1.3]
        #[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 15:24:39 UTC 2015]
        "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
        1441812279.601,1.007,2.771,{ReferenceHistogram}
        Tag=A,1441812279.601,1.007,2.771,{ReferenceHistogram}

        """;

    private static DateTimeOffset FirstStart => s_start.AddMilliseconds(127);

    [Fact]
    public void Write_gives_the_text_of_the_references_log_but_for_the_compressed_bytes()
    {
        LatencyHistogram histogram = ReferenceVectors.Record(1000, 2_769_000);
        LatencyHistogram ofReference = HistogramCodec.Decode(ReferenceHistogram);
        Assert.Equal((2, 1000, 2770943), (ofReference.Count, ofReference.Min, ofReference.Max));
        using var text = new StringWriter();
        var writer = new HistogramLogWriter(text);
        writer.WriteHeader(s_start);
        writer.Write(new HistogramInterval(null, FirstStart, TimeSpan.FromMilliseconds(1007), histogram));
        writer.Write(new HistogramInterval("A", FirstStart, TimeSpan.FromMilliseconds(1007), histogram));
        string expected = ReferenceLog.Replace(ReferenceHistogram, HistogramCodec.Encode(histogram), StringComparison.Ordinal);
        Assert.Equal(expected.ReplaceLineEndings("\n"), text.ToString());
    }

    [Fact]
    public void Write_writes_times_since_1970()
    {
        using var text = new StringWriter();
        var writer = new HistogramLogWriter(text);
        writer.WriteComment("[Any text]");
        writer.WriteHeader(s_start);
        writer.Write(new HistogramInterval(null, FirstStart, TimeSpan.FromSeconds(1), new LatencyHistogram()));
        string[] lines = text.ToString().Split('\n');
        Assert.Equal("#[Any text]", lines[0]);
        lines[^2].AssertBegins("1441812279.601,1.000,0.000,HISTF");
    }

    [Theory, InlineData("a tag"), InlineData("a,tag"), InlineData("tag\n")]
    public void Write_refuses_a_tag_that_could_not_be_read(string tag)
    {
        var interval = new HistogramInterval(tag, s_start, TimeSpan.FromSeconds(1), new LatencyHistogram());
        Assert.Throws<ArgumentException>(() => new HistogramLogWriter(TextWriter.Null).Write(interval));
    }

    [Fact]
    public void WriteComment_refuses_a_second_line() => Assert.Throws<ArgumentException>(() => new HistogramLogWriter(TextWriter.Null).WriteComment("a\nb"));
}
