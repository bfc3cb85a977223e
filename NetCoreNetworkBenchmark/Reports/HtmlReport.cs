using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Renderers;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// Results as a page for a browser: one file with plots and tables that requests nothing. The figures are those of the Markdown page, and numbers are
/// in the invariant culture.
/// </summary>
public sealed class HtmlReport : IReport
{
    /// <inheritdoc/>
    public string Name => "html";

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => $"{ResultFile.FileNameOf(result.Kind)}.html";

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer) => HtmlRenderer.Write(DocumentBuilder.Of(result), writer);
}
