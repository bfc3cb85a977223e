namespace NetCoreNetworkBenchmark.Tests.Histograms;

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
