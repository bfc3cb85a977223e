using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>Restores the histograms of a brief result from the log beside it. A histogram belongs to a launch if both have one identity.</summary>
internal static class BriefHistograms
{
    public static SuiteResult Restore(SuiteResult brief, string file)
    {
        string log = Path.ChangeExtension(file, "hlog");
        if (!File.Exists(log))
        {
            return brief;
        }

        ILookup<string, HistogramInterval> intervals = Read(log);
        bool isOfAnother = false;
        BenchmarkResult[] restored =
        [
            .. brief.Benchmarks.Select(benchmark => benchmark with
            {
                Cases = [.. benchmark.Cases.Select(result => result with
                {
                    Launches = [.. result.Launches.Select(launch => launch with { Result = RunOf(launch.Result, HlogReport.TagOf(benchmark, result)) })],
                })],
            }),
        ];
        return isOfAnother
            ? throw BenchmarkException.BadInput(
                $"'{log}' is the histogram log of another result than '{file}'. Remove it, or restore the log that was written with the results.")
            : brief with { Benchmarks = restored };

        RunResult? RunOf(RunResult? run, string tag) => run is not { Valid: true } ? run : run with
        {
            Clients = run.Clients with
            {
                Latency = Restore(run.Clients.Latency, () => HistogramOf(tag, run)),
                Uncorrected = run.Clients.Uncorrected is { } uncorrected
                    ? Restore(uncorrected, () => HistogramOf(HlogReport.UncorrectedTagOf(tag), run))
                    : null,
            },
        };

        string? HistogramOf(string tag, RunResult run)
        {
            HistogramInterval? recorded = intervals[tag].FirstOrDefault(interval => interval.Id == run.Id);
            isOfAnother |= recorded is null;
            return recorded is null ? null : HistogramCodec.Encode(recorded.Histogram);
        }
    }

    private static LatencyReport Restore(LatencyReport latency, Func<string?> histogram) =>
        latency.Histogram is not null || latency.Microseconds is null ? latency : latency with { Histogram = histogram() };

    private static ILookup<string, HistogramInterval> Read(string log)
    {
        try
        {
            using var reader = new StreamReader(log);
            return HistogramLogReader.Read(reader).ToLookup(interval => interval.Tag ?? string.Empty, StringComparer.Ordinal);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or FormatException)
        {
            throw BenchmarkException.BadInput(
                $"{FileError.Describe(log, exception)}. Remove it, or restore the log that was written with the results.", exception);
        }
    }
}
