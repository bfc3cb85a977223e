using System.Text.Json;
using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>Raw and complete (Docs/results.md).</summary>
public sealed partial class JsonReport : IReport
{
    public string Name => "json";

    public bool IsOneDocument => true;

    public string? FileNameOf(Result result) => $"{ResultFile.FileNameOf(result.Kind)}.json";

    public void Write(Result result, TextWriter writer) => writer.WriteLine(Condense(result is SuiteResult { IsBrief: true } brief
        ? JsonSerializer.Serialize(brief, ResultJson.Dense.SuiteResult)
        : JsonSerializer.Serialize(result, result.GetType(), ResultJson.Readable)));

    /// <summary>
    /// Puts each list and each object that contains no other on one line. Otherwise, most lines are one number of a slice. No value changes, because a line
    /// break in JSON is never within a string.
    /// </summary>
    internal static string Condense(string json) =>
        Innermost().Replace(json, static part => string.Join(' ', part.Value.Split('\n', StringSplitOptions.TrimEntries)));

    // Brackets in a string do not count.
    [GeneratedRegex("""[\[{]\n(?>[^\[\]{}"]+|"(?>[^"\\]|\\.)*")*[\]}]""")]
    private static partial Regex Innermost();
}
