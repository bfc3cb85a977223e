using System.Text.Json;
using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Files;

internal sealed class ResultFiles
{
    private readonly IReadOnlyList<IReport> _reports;
    private readonly IReport? _requested;

    public ResultFiles(string folder, IReadOnlyList<IReport> reports, IReport? requested = null)
    {
        AtomicFile.RequireFolder(folder);
        _requested = requested;
        _reports = [.. reports.Where(report => report.IsWrittenByDefault || report == requested)];
        Folder = Path.GetFullPath(folder);
    }

    public string Folder { get; }

    public string FileOf(ResultKind kind) => Path.Combine(Folder, $"{ResultFile.FileNameOf(kind)}.json");

    public static void RequireFree(string file, string place)
    {
        if (File.Exists(file))
        {
            throw OptionValues.Rejected("--output", $"'{file}' has an earlier result. Use --force to replace it, or another {place}.");
        }
    }

    public static bool IsSame(string file, Result result)
    {
        try
        {
            return (ResultFile.Parse(File.ReadAllText(OptionValues.RegularFile(file))), result) switch
            {
                (RunResult there, RunResult run) => there.Id == run.Id,
                (SuiteResult there, SuiteResult suite) => (there.StartedAt, there.Command) == (suite.StartedAt, suite.Command),
                (var there, _) => Serialize(there) == Serialize(result),
            };
        }
        catch (Exception exception) when (exception is FormatException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static string Serialize(Result result) => JsonSerializer.Serialize(result, ResultFile.TypeOf(result.Kind));

    public void Write(Result result)
    {
        var failures = new List<BenchmarkException>();
        bool isBrief = result is SuiteResult { IsBrief: true };
        foreach (IReport report in _reports.Where(report => report.IsKeptWithBrief || !isBrief || report == _requested))
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
            string others = failures.Count == 1 ? string.Empty : $" {failures.Count - 1} more of its files could not be written.";
            throw new BenchmarkException(failures[0].Message + others, failures[0]);
        }
    }
}
