using System.Text.Json;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>Results as JSON, raw and complete: what programs read. Docs/results.md describes the fields.</summary>
public sealed class JsonReport : IReport
{
    /// <inheritdoc/>
    public string Name => "json";

    /// <inheritdoc/>
    public string? FileNameOf(IResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Kind switch
        {
            ResultKind.Run => "result.json",
            ResultKind.Suite => "results.json",
            _ => $"{result.Kind.ToString().ToLowerInvariant()}.json",
        };
    }

    /// <inheritdoc/>
    public void Write(IResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteLine(JsonSerializer.Serialize(result, result.GetType(), ResultJson.Readable));
    }
}
