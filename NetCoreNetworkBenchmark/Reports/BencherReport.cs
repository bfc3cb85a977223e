using System.Text.Json.Nodes;
using NetCoreNetworkBenchmark.Reports.Builders;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The figures of valid cases in Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format): messages per second, and the median and the
/// 99th percentile of the latency and the server's CPU time per message in nanoseconds.
/// </summary>
public sealed class BencherReport : IJoiningReport
{
    /// <inheritdoc/>
    public string Name => "bencher";

    /// <summary>False: it is for a service, so it is written if it is requested.</summary>
    public bool IsWrittenByDefault => false;

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => TrackedFigure.Of(result).Any() ? $"{ResultFile.FileNameOf(result.Kind)}.bencher.json" : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer) => WriteAll([result], writer);

    /// <inheritdoc/>
    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer) => writer.WriteLine(new JsonObject(
        from figure in TrackedFigure.Of(results)
        group KeyValuePair.Create<string, JsonNode?>(figure.Measure, MetricOf(figure)) by figure.Case into measures
        select KeyValuePair.Create<string, JsonNode?>(measures.Key, new JsonObject(measures))).ToJsonString(ResultJson.Readable.Options));

    private static JsonObject MetricOf(TrackedFigure figure)
    {
        var metric = new JsonObject { ["value"] = figure.Value };
        if (figure is { Lower: { } lower, Upper: { } upper })
        {
            (metric["lower_value"], metric["upper_value"]) = (lower, upper);
        }

        return metric;
    }
}
