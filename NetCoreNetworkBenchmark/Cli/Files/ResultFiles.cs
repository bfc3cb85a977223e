using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>Writes result files into one folder, each completely or not at all.</summary>
internal sealed class ResultFiles
{
    private readonly IReadOnlyList<IReport> _reports;

    /// <summary>Ensures that the folder can be written to, before the measurement.</summary>
    /// <exception cref="BenchmarkException">The folder cannot be written to.</exception>
    public ResultFiles(string folder, IReadOnlyList<IReport> reports)
    {
        AtomicFile.RequireFolder(folder);
        _reports = reports;
        Folder = Path.GetFullPath(folder);
    }

    public string Folder { get; }

    /// <summary>
    /// Writes a result in every format that applies to it. A file that cannot be written does not prevent the others from being written.
    /// </summary>
    /// <exception cref="BenchmarkException">At least one file could not be written.</exception>
    /// <exception cref="FormatException">The result contains a histogram that cannot be read.</exception>
    public void Write(Result result)
    {
        var failures = new List<BenchmarkException>();
        bool isBrief = result is SuiteResult { IsBrief: true };
        foreach (IReport report in _reports.Where(report => report.IsKeptWithBrief || !isBrief))
        {
            try
            {
                if (report.FileNameOf(result) is { } name)
                {
                    AtomicFile.Write(Path.Combine(Folder, name), writer => report.Write(result, writer));
                }
            }
            catch (BenchmarkException exception)
            {
                failures.Add(exception);
            }
        }

        if (failures.Count > 0)
        {
            string others = failures.Count == 1 ? string.Empty : $" Nor could {failures.Count - 1} more of its files.";
            throw new BenchmarkException(failures[0].Message + others, failures[0]);
        }
    }
}
