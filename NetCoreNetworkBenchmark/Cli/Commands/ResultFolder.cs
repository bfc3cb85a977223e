using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Reads results from files, and from folders with all their subfolders.</summary>
internal static class ResultFolder
{
    // The names of this program's result files. Other JSON in the same folders, such as that of BenchmarkDotNet, is ignored.
    private static readonly string[] s_names = [.. Enum.GetValues<ResultKind>().Select(kind => $"{ResultFile.FileNameOf(kind)}.json")];

    /// <exception cref="BenchmarkException">There are no results, or a file is not a result.</exception>
    public static IReadOnlyList<FoundResult> Read(string path)
    {
        IReadOnlyList<FoundResult> results = Find(path);
        return results.Count > 0
            ? results
            : throw BenchmarkException.BadInput(
                $"'{path}' holds no results; valid is a folder with {string.Join(" or ", s_names.Take(2))} in it, or such a file.");
    }

    /// <summary>The same, but a folder may have no results.</summary>
    /// <exception cref="BenchmarkException">A file is not a result.</exception>
    public static IReadOnlyList<FoundResult> Find(string path) => [.. FilesOf(path).Select(file => new FoundResult(file, ReadFile(file)))];

    private static IEnumerable<string> FilesOf(string path) => Directory.Exists(path)
        ? s_names.SelectMany(name => Directory.EnumerateFiles(path, name, SearchOption.AllDirectories)).Order(StringComparer.Ordinal)
        : [path];

    private static Result ReadFile(string file)
    {
        try
        {
            Result result = ResultFile.Parse(File.ReadAllText(file));
            return result is SuiteResult { IsBrief: true } brief ? BriefHistograms.Restore(brief, file) : result;
        }
        catch (FormatException exception)
        {
            throw BenchmarkException.BadInput(
                $"'{file}' cannot be read: {exception.Message}; valid is a result file that this program wrote with -b, --output or --json.", exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw BenchmarkException.BadInput(
                $"'{file}' cannot be read: {exception.Message.TrimEnd('.')}; valid is a result file or a folder with some.", exception);
        }
    }
}

/// <summary>A result, and the file that it was read from.</summary>
internal sealed record FoundResult(string File, Result Result);
