namespace NetCoreNetworkBenchmark.Reports;

/// <summary>A format that has one text for several results, not the text of one after that of another.</summary>
public interface IJoiningReport : IReport
{
    /// <summary>Writes results for each of which <see cref="IReport.FileNameOf"/> returns a name.</summary>
    /// <param name="results">The results.</param>
    /// <param name="writer">The writer of the text, which defines the line ends.</param>
    /// <exception cref="BenchmarkException">The format cannot have these results together.</exception>
    void WriteAll(IReadOnlyList<Result> results, TextWriter writer);
}
