using NetCoreNetworkBenchmark.Reports.Csv;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// Results as comma-separated values for R and pandas: a row for each launch, each step of a search, each case of a comparison or each
/// point of a trend. Docs/results.md describes the columns.
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
        if (results.All(result => result is ComparisonResult))
        {
            writer.WriteCsv(
                ComparisonTable.Columns,
                results.Cast<ComparisonResult>().SelectMany(result => result.Cases.Select(compared => new ComparisonRow(result, compared))));
        }
        else if (results.All(result => result is TrendResult))
        {
            writer.WriteCsv(TrendTable.Columns, results.Cast<TrendResult>().SelectMany(TrendRow.Of));
        }
        else if (results.Any(result => result is ComparisonResult or TrendResult))
        {
            throw BenchmarkException.BadInput(
                "A comparison has other columns than launches have, and a trend has others again, so csv has no table for them together; " +
                    "valid are results of one sort.");
        }
        else
        {
            // A launch that several results have is one row.
            writer.WriteCsv(LaunchTable.Columns, results.SelectMany(LaunchRow.Of).DistinctBy(row => row.Id ?? (object)row));
        }
    }
}
