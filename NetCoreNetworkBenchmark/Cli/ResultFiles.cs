using System.Text;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Writes result files whole or not at all: into a temporary file beside the place, which is then renamed.</summary>
internal sealed class ResultFiles
{
    private readonly IReadOnlyList<IReport> _reports;

    /// <summary>Makes sure, before anything is measured, that the folder can be written to.</summary>
    /// <exception cref="BenchmarkException">It cannot.</exception>
    public ResultFiles(string folder, IReadOnlyList<IReport> reports)
    {
        _reports = reports;
        Folder = Path.GetFullPath(folder);
        try
        {
            Directory.CreateDirectory(Folder);
            string trial = TemporaryName();
            File.WriteAllText(trial, string.Empty);
            File.Delete(trial);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw BenchmarkException.BadInput(
                $"Option --output: the folder '{folder}' cannot be written to ({exception.Message.TrimEnd('.')}); valid is a folder that exists or can be made.",
                exception);
        }
    }

    public string Folder { get; }

    public void Write(RunResult result)
    {
        foreach (IReport report in _reports)
        {
            WriteWhole(report.RunFile, writer => report.Write(result, writer));
        }
    }

    public void Write(SuiteResult result)
    {
        foreach (IReport report in _reports)
        {
            WriteWhole(report.SuiteFile, writer => report.Write(result, writer));
        }
    }

    private void WriteWhole(string name, Action<TextWriter> write)
    {
        string temporary = TemporaryName();
        try
        {
            using (var writer = new StreamWriter(temporary, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" })
            {
                write(writer);
            }

            File.Move(temporary, Path.Combine(Folder, name), overwrite: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            File.Delete(temporary);
            throw new BenchmarkException($"The result could not be written to '{Path.Combine(Folder, name)}': {exception.Message}", exception);
        }
    }

    private string TemporaryName() => Path.Combine(Folder, $".{Guid.NewGuid():N}.tmp");
}
