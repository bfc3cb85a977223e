using NetCoreNetworkBenchmark.Reports.Html;
using NetCoreNetworkBenchmark.Results;

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
    public void Write(Result result, TextWriter writer)
    {
        switch (result)
        {
            case RunResult run:
                RunHtml.Write(run, writer);
                break;
            case SuiteResult suite:
                SuiteHtml.Write(suite, writer);
                break;
            case ComparisonResult comparison:
                ComparisonHtml.Write(comparison, writer);
                break;
            case SweepResult sweep:
                SearchHtml.Write(sweep, writer);
                break;
            case CapacityResult capacity:
                SearchHtml.Write(capacity, writer);
                break;
            case ServerResult server:
                ServerHtml.Write(server, writer);
                break;
            default:
                throw new ArgumentException($"{result.GetType().Name} is not a known result.", nameof(result));
        }
    }
}
