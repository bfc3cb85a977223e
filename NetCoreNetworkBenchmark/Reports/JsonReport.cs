using System.Text.Json;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>Results as JSON, raw and complete: what programs read. Docs/results.md describes the fields.</summary>
public sealed class JsonReport : IReport
{
    /// <inheritdoc/>
    public string RunFile => "result.json";

    /// <inheritdoc/>
    public string SuiteFile => "results.json";

    /// <inheritdoc/>
    public void Write(RunResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteLine(JsonSerializer.Serialize(result, ResultJson.Readable.RunResult));
    }

    /// <inheritdoc/>
    public void Write(SuiteResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteLine(JsonSerializer.Serialize(result, ResultJson.Readable.SuiteResult));
    }
}
