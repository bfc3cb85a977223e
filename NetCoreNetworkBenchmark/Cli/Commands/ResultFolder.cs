namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Reports what cannot be read, and reads the rest. A folder or file that links lead to several times is read once.</summary>
internal sealed class ResultFolder
{
    // The names of this program's result files. Other JSON in the same folders is ignored.
    private static readonly string[] s_names = [.. Enum.GetValues<ResultKind>().Select(kind => $"{ResultFile.FileNameOf(kind)}.json")];

    private readonly List<FoundResult> _results = [];
    private readonly List<string> _faults = [];

    // The folders with results that were left out, because a folder above them has results of its own.
    private readonly List<string> _below = [];
    private readonly List<string> _foreign = [];
    private readonly HashSet<string> _visited = [];

    private ResultFolder(bool isOneSet, params IEnumerable<string> paths)
    {
        foreach (string path in paths)
        {
            if (Directory.Exists(path))
            {
                AddFolder(path, isOneSet, isBelow: false);
            }
            else
            {
                AddFile(path, isNamed: true);
            }
        }

        if (_results.Count == 0)
        {
            throw BenchmarkException.BadInput(_faults switch
            {
                [] => $"{Folders([.. paths])} no results. Use a folder with {string.Join(" or ", s_names.Take(2))} in it, or such a file.",
                [var fault] => fault,
                [var fault, ..] => $"{fault} {Plural.Format(_faults.Count - 1, "other")} cannot be read either.",
            });
        }
    }

    public IReadOnlyList<FoundResult> Results => _results;

    public static ResultFolder Read(params IEnumerable<string> paths) => new(isOneSet: false, paths);

    /// <summary>If a folder has results of its own, those below it, such as of other versions, are another set.</summary>
    public static ResultFolder ReadSet(string path) => new(isOneSet: true, path);

    public bool ReportFaults(CommandContext context)
    {
        if (_below.Count > 0)
        {
            context.Notify("Note: Results in the subfolders of a folder with results are omitted. Name these folders to include them: " +
                $"'{string.Join("', '", _below)}'.");
        }

        context.Notify("Note", _foreign.Select(file => $"'{file}' is omitted, because it is no result of this program."));
        context.Notify("Error", _faults);
        return _faults.Count == 0;
    }

    private void AddFolder(string folder, bool isOneSet, bool isBelow)
    {
        FileSystemInfo[] entries;
        try
        {
            if (!_visited.Add(RealPathOf(folder)))
            {
                return;
            }

            entries = [.. new DirectoryInfo(folder).EnumerateFileSystemInfos().OrderBy(entry => entry.Name, StringComparer.Ordinal)];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            _faults.Add($"The folder '{folder}' cannot be read: {FileError.ReasonOf(exception)}. Use a folder that you may read.");
            return;
        }

        string[] files = [.. entries.Where(entry => s_names.Contains(entry.Name) && !IsFolder(entry)).Select(PathOf)];
        if (isBelow && files.Length > 0)
        {
            _below.Add(folder);
            return;
        }

        bool hasResults = false;
        foreach (string file in files)
        {
            hasResults |= AddFile(file, isNamed: false);
        }

        foreach (FileSystemInfo entry in entries)
        {
            if (IsFolder(entry))
            {
                AddFolder(PathOf(entry), isOneSet, isBelow || (isOneSet && hasResults));
            }
            else if (!isBelow && !files.Contains(PathOf(entry)) && FaultOfLink(entry) is { } fault)
            {
                _faults.Add($"'{PathOf(entry)}' cannot be read: {fault}. Remove the link, or restore its target.");
            }
        }

        string PathOf(FileSystemInfo entry) => Path.Combine(folder, entry.Name);
    }

    private static bool IsFolder(FileSystemInfo entry) => Directory.Exists(entry.FullName);

    // A link that leads nowhere may have led to results. Null for anything else.
    private static string? FaultOfLink(FileSystemInfo entry)
    {
        try
        {
            return entry.ResolveLinkTarget(returnFinalTarget: true) is { Exists: false } target ? $"its target '{target}' does not exist" : null;
        }
        catch (IOException exception)
        {
            return FileError.ReasonOf(exception);
        }
    }

    // The path without links. Each link is resolved where it is, because its target is relative to the folder that it is really in.
    private static string RealPathOf(string path)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } parent)
        {
            return full;
        }

        var here = new FileInfo(Path.Combine(RealPathOf(parent), Path.GetFileName(full)));
        return here.ResolveLinkTarget(returnFinalTarget: false) is { } target ? RealPathOf(target.FullName) : here.FullName;
    }

    // False for a file that another program may have written. A file that the user names is a result.
    private bool AddFile(string file, bool isNamed)
    {
        string text = string.Empty;
        try
        {
            if (!isNamed && !OptionValues.IsRegularFile(file))
            {
                _foreign.Add(file);
                return false;
            }

            if (_visited.Add(RealPathOf(file)))
            {
                text = File.ReadAllText(OptionValues.RegularFile(file));
                _results.Add(new FoundResult(file, ResultFile.Parse(text)));
            }
        }
        catch (FormatException) when (!isNamed && ResultFile.IsForeign(text))
        {
            _foreign.Add(file);
            return false;
        }
        catch (FormatException exception)
        {
            _faults.Add(FaultOf(file, exception, "a result file that this program wrote with -b, --output or --json"));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            _faults.Add(FaultOf(file, exception, "a result file, or a folder with result files"));
        }

        return true;
    }

    private static string Folders(string[] paths) =>
        paths.Length == 1 ? $"The folder '{paths[0]}' has" : $"The folders '{string.Join("', '", paths)}' have";

    private static string FaultOf(string path, Exception exception, string valid) => $"{FileError.Describe(path, exception)}. Use {valid}.";
}

internal sealed record FoundResult(string File, Result Result);
