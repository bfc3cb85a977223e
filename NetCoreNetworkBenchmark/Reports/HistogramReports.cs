using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>A percentile distribution in microseconds, for the plotters of HdrHistogram; of an open loop, from when a message was due.</summary>
public sealed class HgrmReport : IReport
{
    public string Name => "hgrm";

    public string? FileNameOf(Result result) => result is RunResult { Clients.Latency.Histogram: not null } ? "result.hgrm" : null;

    public void Write(Result result, TextWriter writer) => PercentileDistribution.Write(
        HistogramCodec.Decode((result as RunResult)?.Clients.Latency.Histogram
            ?? throw new ArgumentException("Only a run with a histogram has a distribution.", nameof(result))),
        writer,
        NanosecondsPerMicrosecond);
}

/// <summary>
/// An HdrHistogram interval log in nanoseconds, with one interval for each measurement: of a run without a tag, of a suite's valid launches with benchmark and
/// library as their tag. The round trips of an open loop as a waiting client would see them have a tag that ends in <c>uncorrected</c>.
/// </summary>
public sealed class HlogReport : IReport
{
    private const string Uncorrected = "uncorrected";

    public string Name => "hlog";

    // Its results.json has the histograms.
    public bool IsKeptWithBrief => false;

    public string? FileNameOf(Result result) => !Series(result).Any() ? null : result is RunResult ? "result.hlog" : "results.hlog";

    public void Write(Result result, TextWriter writer)
    {
        (string? Tag, RunResult Run, string Histogram)[] series = [.. Series(result).OrderBy(interval => interval.Run.Clients.StartedAt)];
        if (series.Length == 0)
        {
            throw new ArgumentException("Only a result with histograms has a log.", nameof(result));
        }

        var log = new HistogramLogWriter(writer);
        log.WriteHeader(series[0].Run.Clients.StartedAt);
        foreach ((string? tag, RunResult run, string histogram) in series)
        {
            log.Write(new HistogramInterval(tag, run.Clients.StartedAt, LengthOf(run), HistogramCodec.Decode(histogram)));
        }
    }

    private static string TagOf(BenchmarkResult benchmark, CaseResult measured) => $"{SafeTag(benchmark.Title)}/{SafeTag(measured.Library)}";

    private static string UncorrectedTagOf(string tag) => $"{tag}/{Uncorrected}";

    private static TimeSpan LengthOf(RunResult run) => run.DurationSeconds >= 0 && run.DurationSeconds < TimeSpan.MaxValue.TotalSeconds
        ? TimeSpan.FromSeconds(run.DurationSeconds)
        : throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"A measurement cannot take {run.DurationSeconds} s."));

    private static IEnumerable<(string? Tag, RunResult Run, string Histogram)> Series(Result result) => result switch
    {
        RunResult run => Series(run, tag: null),
        SuiteResult suite =>
            from benchmark in suite.Benchmarks
            from measured in benchmark.Cases
            from launch in measured.Launches
            where launch.Result is { Valid: true }
            from series in Series(launch.Result!, TagOf(benchmark, measured))
            select series,
        _ => [],
    };

    private static IEnumerable<(string? Tag, RunResult Run, string Histogram)> Series(RunResult run, string? tag) =>
        from series in ((string? Tag, string? Histogram)[])
        [
            (tag, run.Clients.Latency.Histogram), (tag is null ? Uncorrected : UncorrectedTagOf(tag), run.Clients.Uncorrected?.Histogram),
        ]
        where series.Histogram is not null
        select (series.Tag, run, series.Histogram);

    // In a log, a comma or a white-space character ends the tag.
    private static string SafeTag(string name) =>
        string.Concat(name.Select(letter => letter == ',' || char.IsWhiteSpace(letter) || char.IsControl(letter) ? '_' : letter));
}
