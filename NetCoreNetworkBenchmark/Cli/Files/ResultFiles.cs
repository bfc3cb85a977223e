using System.Text.Json;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Reports;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>Writes result files into one folder, each completely or not at all.</summary>
internal sealed class ResultFiles
{
    private readonly IReadOnlyList<IReport> _reports;

    /// <summary>Ensures that the folder can be written to, before the measurement.</summary>
    public ResultFiles(string folder, IReadOnlyList<IReport> reports, IReport? requested = null)
    {
        AtomicFile.RequireFolder(folder);
        _reports = [.. reports.Where(report => report.IsWrittenByDefault || report == requested)];
        Folder = Path.GetFullPath(folder);
    }

    public string Folder { get; }

    /// <param name="remedy">What the user can do, a sentence without a full stop.</param>
    public void RequireFree(ResultKind kind, string remedy, Result? result = null) =>
        RequireFree(Path.Combine(Folder, $"{ResultFile.FileNameOf(kind)}.json"), result, remedy);

    /// <summary>Ensures that a file does not contain another result than the one that replaces it.</summary>
    public static void RequireFree(string file, Result? result, string remedy)
    {
        if (File.Exists(file) && (result is null || !IsSame(file, result)))
        {
            throw BenchmarkException.BadInput($"--output: '{file}' has an earlier result. {remedy}.");
        }
    }

    private static bool IsSame(string file, Result result)
    {
        try
        {
            return (ResultFile.Parse(File.ReadAllText(file)), result) switch
            {
                (RunResult there, RunResult run) => (there.Id, there.Clients.StartedAt) == (run.Id, run.Clients.StartedAt),
                (SuiteResult there, SuiteResult suite) => (there.StartedAt, there.Command) == (suite.StartedAt, suite.Command),
                (ComparisonResult, ComparisonResult) => true,
                (var there, _) => TextOf(there) == TextOf(result),
            };
        }
        catch (Exception exception) when (exception is FormatException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private static string TextOf(Result result) => JsonSerializer.Serialize(result, ResultFile.TypeOf(result.Kind));

    /// <summary>
    /// Writes a result in every format that applies to it. A file that cannot be written does not prevent the others from being written.
    /// </summary>
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
            string others = failures.Count == 1 ? string.Empty : $" {failures.Count - 1} more of its files could not be written.";
            throw new BenchmarkException(failures[0].Message + others, failures[0]);
        }
    }
}

internal static partial class BenchmarksFolder
{
    private const string Name = "Benchmarks";
    private const string RepositoryMark = "NetCoreNetworkBenchmark.sln";

    /// <summary>Returns the repository's folder <c>Benchmarks</c> if the program is in a checkout; otherwise, one in the current folder.</summary>
    public static string Default()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, RepositoryMark)))
            {
                return Path.Combine(folder.FullName, Name);
            }
        }

        return Name;
    }

    /// <summary>Returns the machine's name as a folder name: OS, CPU model and cores, in letters, digits, dots and dashes.</summary>
    public static string MachineName(EnvironmentInfo machine)
    {
        string cpu = Decoration().Replace(machine.Cpu, " ");
        string os = Parenthesis().Replace(machine.Os, " ");
        return Separators().Replace($"{os}-{cpu}-{machine.Cores}-cores", "-").Trim('-', '.');
    }

    [GeneratedRegex(@"\((R|TM|C)\)|\b(CPU|Processor)\b|@", RegexOptions.IgnoreCase)]
    private static partial Regex Decoration();

    [GeneratedRegex(@"\([^)]*\)")]
    private static partial Regex Parenthesis();

    [GeneratedRegex("[^A-Za-z0-9.]+")]
    private static partial Regex Separators();
}
