namespace NetCoreNetworkBenchmark.Tests.Histograms;

public sealed class HistogramLogTests
{
    private static readonly DateTimeOffset s_start = DateTimeOffset.FromUnixTimeMilliseconds(1441812279474);

    // Written by HdrHistogram for Java 2.1.11 (HistogramLogWriter): 1,000 and 2,769,000 recorded in one interval.
    private const string ReferenceHistogram = "HISTFAAAACh42pNpmSzMwMDAzgABzFCaEYh5f7hHMNh/gAic52fau5WRCQB17QZ6";

    private const string ReferenceLog =
        $"""
        #[Histogram log format version 1.3]
        #[BaseTime: 1441812279.474 (seconds since epoch)]
        #[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 15:24:39 UTC 2015]
        "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
        0.127,1.007,2.771,{ReferenceHistogram}
        Tag=A,0.127,1.007,2.771,{ReferenceHistogram}

        """;

    private static DateTimeOffset FirstStart => s_start.AddMilliseconds(127);

    [Fact]
    public void Read_gives_times_tags_and_histograms_of_the_references_log()
    {
        HistogramInterval[] intervals = [.. Read(ReferenceLog)];
        Assert.Equal([null, "A"], intervals.Select(interval => interval.Tag));
        Assert.All(intervals, interval =>
        {
            Assert.Equal((FirstStart, TimeSpan.FromMilliseconds(1007)), (interval.Start, interval.Length));
            Assert.Equal((2, 1000, 2770943), (interval.Histogram.Count, interval.Histogram.Min, interval.Histogram.Max));
        });
    }

    [Fact]
    public void Write_gives_the_text_of_the_references_log_but_for_the_compressed_bytes()
    {
        LatencyHistogram histogram = ReferenceVectors.Record(1000, 2_769_000);
        using var text = new StringWriter();
        var writer = new HistogramLogWriter(text);
        writer.WriteHeader(s_start, isRelative: true);
        writer.Write(new HistogramInterval(null, FirstStart, TimeSpan.FromMilliseconds(1007), histogram));
        writer.Write(new HistogramInterval("A", FirstStart, TimeSpan.FromMilliseconds(1007), histogram));
        string expected = ReferenceLog.Replace(ReferenceHistogram, HistogramCodec.Encode(histogram), StringComparison.Ordinal);
        Assert.Equal(expected.ReplaceLineEndings("\n"), text.ToString());
    }

    [Fact]
    public void Write_writes_times_since_1970_unless_they_are_relative()
    {
        using var text = new StringWriter();
        var writer = new HistogramLogWriter(text);
        writer.WriteComment("[Any text]");
        writer.WriteHeader(s_start);
        writer.Write(new HistogramInterval(null, FirstStart, TimeSpan.FromSeconds(1), new LatencyHistogram()));
        string[] lines = text.ToString().Split('\n');
        Assert.Equal("#[Any text]", lines[0]);
        Assert.DoesNotContain(lines, line => line.Contains("BaseTime", StringComparison.Ordinal));
        Assert.StartsWith("1441812279.601,1.000,0.000,HISTF", lines[^2], StringComparison.Ordinal);
        Assert.Equal(FirstStart, Assert.Single(Read(text.ToString())).Start);
    }

    /// <summary>Times as HdrHistogram's readers interpret them: relative to the base time; else to a start time over a year later; else absolute.</summary>
    [Theory]
    [InlineData("", "0.127", 127)]
    [InlineData("#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]\n", "0.127", 1441812279601)]
    [InlineData("#[StartTime: 1441812279.474 (seconds since epoch)]\n", "1441812279.601", 1441812279601)]
    [InlineData("#[StartTime: 1441812279.474 (seconds since epoch)]\n", "1410276279.475", 1410276279475)]
    [InlineData("#[StartTime: 1441812279.474 (seconds since epoch)]\n", "1410276279.473", 2852088558947)]
    [InlineData("#[BaseTime: 1441812279.474 (seconds since epoch)]\n#[StartTime: 1.5 (seconds since epoch)]\n", "0.127", 1441812279601)]
    [InlineData("#[BaseTime: 0.000 (seconds since epoch)]\n#[StartTime: 1441812279.474 (seconds since epoch)]\n", "0.127", 127)]
    [InlineData("#[StartTime: yesterday]\n#[StartTime:\n", "0.127", 127)]
    public void Read_finds_out_what_times_are_relative_to(string header, string start, long milliseconds) => Assert.Equal(
        DateTimeOffset.FromUnixTimeMilliseconds(milliseconds),
        Assert.Single(Read($"{header}{start},1.0,2.771,{ReferenceHistogram}")).Start);

    [Theory]
    [InlineData("Tag=bo-http,152.313,40.807,0.000,{0} ", "bo-http")]
    [InlineData("152.313, 40.807, 0.000, {0}", null)]
    [InlineData("1.52313E2 40.807 0 {0} more", null)]
    [InlineData("\r\n\r\n# a comment, with a comma\r\n\"StartTimestamp\",\"any legend\"\r\n152.313,40.807,0.000,{0}\r\n\r\n", null)]
    public void Read_is_as_tolerant_as_the_references_readers(string lines, string? tag)
    {
        HistogramInterval interval = Assert.Single(Read(lines.Replace("{0}", ReferenceHistogram, StringComparison.Ordinal)));
        Assert.Equal(tag, interval.Tag);
        Assert.Equal((152_313, 40_807), (interval.Start.ToUnixTimeMilliseconds(), interval.Length.TotalMilliseconds));
    }

    [Theory]
    [InlineData("1,2,3", "a length, a maximum and a histogram")]
    [InlineData("Tag=A,1,2,3", "a length, a maximum and a histogram")]
    [InlineData("what is this line,1,2,3", "'what' is not a number")]
    [InlineData("1,2,NaN,{0}", "'NaN' is not a number")]
    [InlineData("1e20,2,3,{0}", "out of range")]
    [InlineData("1,1e28,3,{0}", "out of range")]
    [InlineData("1e12,2,3,{0}", "out of range")]
    [InlineData("1,2,3,HISTFAAAACg=", "should have 40 compressed bytes")]
    public void Read_names_the_line_that_it_cannot_read(string line, string reason)
    {
        string log = $"# one\n0,1,2,{ReferenceHistogram}\n{line.Replace("{0}", ReferenceHistogram, StringComparison.Ordinal)}\n";
        string message = Assert.Throws<FormatException>(() => Read(log).Count()).Message;
        Assert.StartsWith("Line 3 of the histogram log cannot be read: ", message, StringComparison.Ordinal);
        Assert.Contains(reason, message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_reads_a_line_when_it_is_requested()
    {
        string log = $"0,1,2,{ReferenceHistogram}\nno interval\n";
        Assert.Equal(2, Read(log).First().Histogram.Count);
    }

    [Theory, InlineData("a tag"), InlineData("a,tag"), InlineData("tag\n")]
    public void Write_refuses_a_tag_that_could_not_be_read(string tag)
    {
        var interval = new HistogramInterval(tag, s_start, TimeSpan.FromSeconds(1), new LatencyHistogram());
        Assert.Throws<ArgumentException>(() => new HistogramLogWriter(TextWriter.Null).Write(interval));
    }

    [Fact]
    public void WriteComment_refuses_a_second_line() => Assert.Throws<ArgumentException>(() => new HistogramLogWriter(TextWriter.Null).WriteComment("a\nb"));

    private static IEnumerable<HistogramInterval> Read(string log) => HistogramLogReader.Read(new StringReader(log));
}
