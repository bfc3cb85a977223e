using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// Results as comma-separated values for R and pandas: a row for each launch, each step of a search or each case of a comparison.
/// Docs/results.md describes the columns.
/// </summary>
public sealed class CsvReport : IJoiningReport
{
    /// <inheritdoc/>
    public string Name => "csv";

    /// <summary>False: a brief result has hardly more than the figures of its JSON, from which this can be made at any time.</summary>
    public bool IsKeptWithBrief => false;

    /// <inheritdoc/>
    public string? FileNameOf(Result result) => result.Kind == ResultKind.Server ? null : $"{ResultFile.FileNameOf(result.Kind)}.csv";

    /// <inheritdoc/>
    public void Write(Result result, TextWriter writer) => WriteAll([result], writer);

    /// <inheritdoc/>
    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer)
    {
        ComparisonRow[] compared = [.. results.OfType<ComparisonResult>().SelectMany(ComparisonRow.Of)];
        if (compared.Length > 0 && results.Any(result => result is not ComparisonResult))
        {
            throw BenchmarkException.BadInput("Comparisons and launches have different columns. Write the comparisons to a file of their own.");
        }

        // A launch that several results have is one row.
        CsvRenderer.Write(
            results.All(result => result is ComparisonResult)
                ? Table.Of("Cases", ComparisonColumns.All, compared)
                : Table.Of("Launches", LaunchColumns.All, results.SelectMany(LaunchRow.Of).DistinctBy(row => row.Id ?? (object)row)),
            writer);
    }
}
