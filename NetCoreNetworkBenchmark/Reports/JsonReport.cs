using System.Text.Json;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// Results as JSON, raw and complete, for other programs. A brief result has no histograms; they are in its log. Docs/results.md describes the
/// fields.
/// </summary>
public sealed class JsonReport : IReport
{
    // Of a brief result: 0.5 s instead of 0.1 s.
    private const int PartsOfTimeline = 5;

    /// <inheritdoc/>
    public string Name => "json";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => $"{ResultFile.FileNameOf(result.Kind)}.json";

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer) => writer.WriteLine(result is SuiteResult { IsBrief: true } brief
        ? JsonSerializer.Serialize(WithoutHistograms(brief), ResultJson.Dense.SuiteResult)
        : JsonSerializer.Serialize(result, result.GetType(), ResultJson.Readable));

    // Histograms are most of the file, and the histogram log contains them.
    private static SuiteResult WithoutHistograms(SuiteResult suite) => suite with
    {
        Benchmarks =
        [
            .. suite.Benchmarks.Select(benchmark => benchmark with
            {
                Cases = [.. benchmark.Cases.Select(result => result with { Launches = [.. result.Launches.Select(WithoutHistograms)] })],
            }),
        ],
    };

    private static LaunchResult WithoutHistograms(LaunchResult launch) => launch with
    {
        Result = launch.Result is { } result
            ? result with
            {
                Clients = result.Clients with
                {
                    Latency = result.Clients.Latency with { Histogram = null },
                    Uncorrected = result.Clients.Uncorrected is { } uncorrected ? uncorrected with { Histogram = null } : null,
                    Timeline = result.Clients.Timeline?.Coarsen(PartsOfTimeline),
                },
                Server = result.Server is { } server ? server with { Timeline = server.Timeline?.Coarsen(PartsOfTimeline) } : null,
            }
            : null,
    };
}
