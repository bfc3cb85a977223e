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
    public string? FileNameOf(IResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Kind switch
        {
            ResultKind.Run => "result.md",
            ResultKind.Suite => "README.md",
            _ => $"{ResultFile.NameOf(result.Kind).ToLowerInvariant()}.md",
        };
    }

    /// <inheritdoc/>
    public void Write(IResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
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

    /// <summary>Writes the tables of a suite alone, without the details of each case.</summary>
    /// <param name="result">The results.</param>
    /// <param name="writer">The writer of the text.</param>
    public static void WriteSummary(SuiteResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
        SuitePage.WriteSummary(result, writer);
    }

    /// <summary>Writes a short table for each benchmark of a suite, the highest rate first.</summary>
    /// <param name="result">The results.</param>
    /// <param name="writer">The writer of the text.</param>
    public static void WriteRanking(SuiteResult result, TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(writer);
        RankingPage.Write(result, writer);
    }
}
