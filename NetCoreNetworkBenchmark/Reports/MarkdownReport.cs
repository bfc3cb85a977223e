using NetCoreNetworkBenchmark.Reports.Markdown;
using NetCoreNetworkBenchmark.Results;

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
    public void Write(Result result, TextWriter writer)
    {
        switch (result)
        {
            case RunResult run:
                RunPage.Write(run, writer);
                break;
            case SuiteResult suite:
                SuitePage.Write(suite, writer);
                break;
            case ServerResult server:
                ServerPage.Write(server, writer);
                break;
            case SweepResult sweep:
                SweepPage.Write(sweep, writer);
                break;
            case CapacityResult capacity:
                CapacityPage.Write(capacity, writer);
                break;
            case ComparisonResult comparison:
                ComparisonPage.Write(comparison, writer);
                break;
            default:
                throw new ArgumentException($"{result.GetType().Name} is not a known result.", nameof(result));
        }
    }
}
