using System.Text.Json.Nodes;
using NetCoreNetworkBenchmark.Reports.Builders;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// The messages per second of valid cases for github-action-benchmark, as its tool <c>customBiggerIsBetter</c>
/// (https://github.com/benchmark-action/github-action-benchmark).
/// </summary>
public sealed class GitHubActionReport() : GitHubActionFormat("github-action", isRate: true);

/// <summary>
/// The latencies and the server's CPU time per message of valid cases for github-action-benchmark, as its tool <c>customSmallerIsBetter</c>: a file has figures
/// of one direction alone.
/// </summary>
public sealed class GitHubActionCostReport() : GitHubActionFormat("github-action-cost", isRate: false);

/// <summary>The figures of one direction for github-action-benchmark.</summary>
public abstract class GitHubActionFormat : IJoiningReport
{
    private readonly bool _isRate;

    private protected GitHubActionFormat(string name, bool isRate) => (Name, _isRate) = (name, isRate);

    /// <inheritdoc/>
    public string Name { get; }

    /// <summary>False: it is for a service, so it is written if it is requested.</summary>
    public bool IsWrittenByDefault => false;

    /// <inheritdoc/>
    public string? FileNameOf(Result result) =>
        TrackedFigure.Of(result).Any(figure => figure.IsRate == _isRate) ? $"{ResultFile.FileNameOf(result.Kind)}.{Name}.json" : null;

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer) => WriteAll([result], writer);

    /// <inheritdoc/>
    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer) => writer.WriteLine(new JsonArray(
    [
        .. TrackedFigure.Of(results).Where(figure => figure.IsRate == _isRate).Select(figure =>
        {
            var entry = new JsonObject
            {
                ["name"] = figure.IsRate ? figure.Case : $"{figure.Case}, {figure.Measure}",
                ["unit"] = figure.IsRate ? "msg/s" : "ns",
                ["value"] = figure.Value,
                ["extra"] = figure.Version,
            };
            if (figure.Lower is not null)
            {
                entry["range"] = Interval(figure.Lower, figure.Upper, "N0");
            }

            return entry;
        }),
    ]).ToJsonString(ResultJson.Readable.Options));
}
