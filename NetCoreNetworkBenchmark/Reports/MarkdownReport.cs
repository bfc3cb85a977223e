using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Renderers;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// Results as Markdown. Results of runs keep the lines that users of the original harness commit to <c>Benchmarks/</c>, in their order. The
/// additional measurements follow. Numbers are in the invariant culture.
/// </summary>
public sealed class MarkdownReport : IReport
{
    /// <inheritdoc/>
    public string Name => "markdown";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => result.Kind == ResultKind.Suite ? "README.md" : $"{ResultFile.FileNameOf(result.Kind)}.md";

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer) => new MarkdownRenderer(writer).Write(DocumentBuilder.Of(result));

    /// <summary>Writes the essence of a result, where a script or a file takes the output of a command. Tables that are too wide have fewer columns.</summary>
    internal static void WriteSummary(Result result, TextWriter writer, int width = int.MaxValue) =>
        new MarkdownRenderer(writer).WriteSummary(DocumentBuilder.Of(result), width);
}
