using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>The histograms of a brief result, which are not in its JSON but in the log beside it.</summary>
internal static class BriefHistograms
{
    /// <summary>Puts the histograms back.</summary>
    /// <param name="brief">The result.</param>
    /// <param name="file">The file of the result. Without a log beside it, the result stays as it is.</param>
    /// <exception cref="BenchmarkException">The log cannot be read.</exception>
    public static SuiteResult Restore(SuiteResult brief, string file)
    {
        string log = Path.ChangeExtension(file, "hlog");
        if (!File.Exists(log))
        {
            return brief;
        }

        IReadOnlyDictionary<string, string> histograms = Read(log);
        return brief with
        {
            Benchmarks =
            [
                .. brief.Benchmarks.Select(benchmark => benchmark with
                {
                    Cases = [.. benchmark.Cases.Select(found => Restore(found, HlogReport.TagOf(benchmark, found), histograms))],
                }),
            ],
        };
    }

    private static CaseResult Restore(CaseResult found, string tag, IReadOnlyDictionary<string, string> histograms) => found with
    {
        Launches =
        [
            .. found.Launches.Select(launch => launch.Result is not { Valid: true } run ? launch : launch with
            {
                Result = run with
                {
                    Histogram = run.Histogram ?? histograms.GetValueOrDefault(tag),
                    UncorrectedHistogram = run.UncorrectedHistogram ?? histograms.GetValueOrDefault(HlogReport.UncorrectedTagOf(tag)),
                },
            }),
        ],
    };

    private static Dictionary<string, string> Read(string log)
    {
        try
        {
            using var reader = new StreamReader(log);
            var histograms = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (HistogramInterval interval in HistogramLogReader.Read(reader))
            {
                histograms[interval.Tag ?? string.Empty] = HistogramCodec.Encode(interval.Histogram);
            }

            return histograms;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or FormatException)
        {
            throw BenchmarkException.BadInput(
                $"'{log}' cannot be read: {exception.Message.TrimEnd('.')}; valid is the log that was written with the results beside it, or none.", exception);
        }
    }
}
