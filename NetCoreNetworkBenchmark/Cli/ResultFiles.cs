using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Writes result files into one folder, each whole or not at all.</summary>
internal sealed class ResultFiles
{
    private readonly IReadOnlyList<IReport> _reports;

    /// <summary>Makes sure, before anything is measured, that the folder can be written to.</summary>
    /// <exception cref="BenchmarkException">It cannot.</exception>
    public ResultFiles(string folder, IReadOnlyList<IReport> reports)
    {
        WholeFile.RequireFolder(folder);
        _reports = reports;
        Folder = Path.GetFullPath(folder);
    }

    public string Folder { get; }

    /// <summary>Writes a result in every format that has something to tell of it.</summary>
    public void Write(IResult result)
    {
        foreach (IReport report in _reports)
        {
            if (report.FileNameOf(result) is { } name)
            {
                WholeFile.Write(Path.Combine(Folder, name), writer => report.Write(result, writer));
            }
        }
    }
}
