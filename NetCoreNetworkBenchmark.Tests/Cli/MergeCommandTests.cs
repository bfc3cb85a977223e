using System.Globalization;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Tests.Histograms;
using NetCoreNetworkBenchmark.Tests.Reports;
using static NetCoreNetworkBenchmark.Tests.Cli.ProgramInFolder;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class MergeCommandTests : IDisposable
{
    private readonly ProgramInFolder _program = new();

    [Fact]
    public async Task Merge_adds_the_intervals_of_all_files_by_tag()
    {
        string first = SaveLog("first.hlog", Interval(null, 0, 10, 1000), Interval("a", 5, 10, 2000));
        string second = SaveLog("second.hlog", Interval("a", 60, 10, 3000, 4000), Interval(null, 2, 3, 5000));
        string merged = _program.PathOf("below", "merged.hlog");
        (int code, string printed, string errors) = await RunAsync("merge", first, second, "-o", merged);
        Assert.Equal((0, string.Empty), (code, errors));
        Assert.Equal(Distribution("No tag", 1000, 5000) + Distribution("Tag: a", 2000, 3000, 4000), printed);
        using StreamReader reader = File.OpenText(merged);
        Assert.Equal(
            [(null, 0, 10, 2), ("a", 5, 65, 3)],
            HistogramLogReader.Read(reader)
                .Select(interval => (interval.Tag, SecondsOf(interval.Start), interval.Length.TotalSeconds, interval.Histogram.Count)));
        Assert.Equal(["merged.hlog"], FilesIn(Path.GetDirectoryName(merged)!));
    }

    [Fact]
    public async Task Merge_reads_what_report_writes()
    {
        string output = _program.PathOf("out");
        await RunAsync("report", _program.Save("suite", SampleResults.Suite), "-o", output);
        (int code, string printed, _) = await RunAsync("merge", Path.Combine(output, "results.hlog"));
        long[] values = [.. ReferenceVectors.FewValues, .. ReferenceVectors.FewValues, .. ReferenceVectors.FewValues];
        Assert.Equal((0, Distribution("Tag: Benchmark_1/ENet", values)), (code, printed));
    }

    [Fact]
    public async Task Merge_refuses_more_than_can_be_added_up()
    {
        LatencyHistogram many = HistogramCodec.Decode(ReferenceVectors.ManyBits);
        string log = SaveLog("log.hlog", [.. Enumerable.Repeat(Interval(null, 0, 10) with { Histogram = many }, 30)]);
        await AssertRefusedAsync($"Error: '{log}' cannot be merged: the sum of all values is beyond 64 bits; ", "merge", log);
    }

    [Fact]
    public async Task Merge_refuses_what_it_cannot_read()
    {
        string missing = _program.PathOf("missing.hlog");
        string text = _program.PathOf("text.hlog");
        string log = SaveLog("log.hlog", Interval(null, 0, 10, 1000));
        string empty = SaveLog("empty.hlog");
        File.WriteAllText(text, "# a comment\nnot a log at all\n");
        await AssertRefusedAsync($"Error: '{missing}' cannot be merged: ", "merge", log, missing);
        await AssertRefusedAsync(
            $"Error: '{text}' cannot be merged: Line 2 of the histogram log cannot be read: 'not' is not a number; valid is a histogram log",
            "merge", log, text);
        await AssertRefusedAsync($"Error: '{empty}' cannot be merged: it has no interval; valid is a histogram log", "merge", empty);
        await AssertRefusedAsync("Error: Required argument 'FILES' missing for command: 'merge'", "merge");
        await AssertRefusedAsync($"Error: Option --output: '{_program.Folder.FullName}' is not a file; valid is", "merge", log, "-o", _program.Folder.FullName);
        await AssertRefusedAsync("Error: Option --output: the folder '", "merge", log, "-o", Path.Combine(log, "merged.hlog"));
    }

    public void Dispose() => _program.Dispose();

    private static string Distribution(string tag, params long[] values)
    {
        using var writer = new StringWriter(CultureInfo.InvariantCulture);
        PercentileDistribution.Write(ReferenceVectors.Record(values), writer);
        return $"#[{tag}, in microseconds]\n{writer}";
    }

    private static HistogramInterval Interval(string? tag, double start, double length, params long[] values) =>
        new(tag, SampleResults.Valid.StartedAt.AddSeconds(start), TimeSpan.FromSeconds(length), ReferenceVectors.Record(values));

    private static double SecondsOf(DateTimeOffset time) => (time - SampleResults.Valid.StartedAt).TotalSeconds;

    private string SaveLog(string name, params HistogramInterval[] intervals)
    {
        string file = _program.PathOf(name);
        using var writer = new StreamWriter(file);
        var log = new HistogramLogWriter(writer);
        log.WriteHeader(SampleResults.Valid.StartedAt);
        foreach (HistogramInterval interval in intervals)
        {
            log.Write(interval);
        }

        return file;
    }
}
