using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>
/// The launches of a session, in a file beside its results: a line of JSON each, appended and flushed to the disk. A session that ends in any way loses at most
/// the step that ran, and another one continues its log. Its first line, and one of each continuation, has the facts of the session.
/// </summary>
internal sealed class SessionLog : IDisposable
{
    public const string FolderName = "unfinished";

    public const string FileName = "log.jsonl";
    private const string LockName = "lock";
    private const string Anew = "Use --force instead of --continue to start from the beginning.";

    private static readonly JsonSerializerOptions s_json = new(ResultJson.Readable.Options)
    {
        TypeInfoResolver = new DefaultJsonTypeInfoResolver(),
        WriteIndented = false,
    };

    private readonly Dictionary<(string Case, int Number), LaunchResult> _launches = [];
    private readonly string _folder;

    // The system releases it when the process ends, in any way.
    private FileStream? _lock;
    private FileStream? _file;

    private SessionLog(string resultFolder)
    {
        _folder = Path.Combine(resultFolder, FolderName);
        if (Try(() => Directory.CreateDirectory(_folder)))
        {
            _lock = Lock(_folder);
        }
    }

    public SessionBegin Begin { get; private set; } = null!;

    /// <summary>The number of launches of earlier sessions.</summary>
    public int EarlierCount { get; private set; }

    /// <summary>The reason why launches could not be saved, which a continuation repeats; null if all were saved.</summary>
    public string? Failure { get; private set; }

    private string LogFile => Path.Combine(_folder, FileName);

    public static bool IsIn(string resultFolder) => File.Exists(Path.Combine(resultFolder, FolderName, FileName));

    /// <summary>Throws for an interrupted measurement, and for one that another process is still making.</summary>
    public static void RequireNone(string resultFolder)
    {
        if (IsIn(resultFolder))
        {
            Lock(Path.Combine(resultFolder, FolderName))?.Dispose();
            throw OptionValues.Rejected(
                "--output",
                $"'{resultFolder}' has an interrupted measurement. Use --continue to continue it, --force to delete it and start anew, or another folder.");
        }
    }

    /// <summary>Deletes the log that may be there.</summary>
    public static SessionLog Start(string resultFolder, SessionBegin begin, IReadOnlyDictionary<string, string> facts)
    {
        var log = new SessionLog(resultFolder);
        log.Open(begin, facts, length: 0);
        return log;
    }

    /// <exception cref="BenchmarkException">There is no log, it cannot be read, or its facts are different.</exception>
    public static SessionLog Continue(string resultFolder, IReadOnlyDictionary<string, string> facts)
    {
        if (!IsIn(resultFolder))
        {
            throw BenchmarkException.BadInput(
                $"--continue: '{resultFolder}' has no interrupted measurement. Omit --continue to start from the beginning.");
        }

        var log = new SessionLog(resultFolder);
        try
        {
            string[] lines = ReadLines(log.LogFile);
            LogHead head = Parse<LogHead>(log.LogFile, lines, 0, Anew);
            if (SessionFacts.FindDifference(head.Facts, facts) is { } difference)
            {
                throw BenchmarkException.BadInput(
                    $"--continue: the interrupted measurement in '{resultFolder}' differs: {difference}. Repeat the command that began it. {Anew}");
            }

            log.Load(lines);
            log.Open(new SessionBegin(head.StartedAt, head.Fitness), facts, lines.Sum(line => Encoding.UTF8.GetByteCount(line) + 1L));
            return log;
        }
        catch
        {
            log.Dispose();
            throw;
        }
    }

    /// <returns>The launches of a step that was measured completely; otherwise, null.</returns>
    public IReadOnlyList<CaseLaunch>? Find(Step step)
    {
        CaseLaunch[] found =
        [
            .. from suiteCase in step.Cases
               let launch = _launches.GetValueOrDefault((suiteCase.Key, step.Number))
               where launch is not null
               select new CaseLaunch(suiteCase, launch),
        ];
        return found.Length == step.Cases.Count ? found : null;
    }

    /// <summary>Leaves out a step without figures, so that a continuation repeats it.</summary>
    public void Append(IReadOnlyList<CaseLaunch> launches)
    {
        if (launches.Any(launch => launch.Launch.Result is { Clients.Aborted: false }))
        {
            // Of a step that was not complete, the launches that are there are replaced: those of one step belong together.
            foreach ((SuiteCase suiteCase, LaunchResult launch) in launches)
            {
                _launches[(suiteCase.Key, launch.Number)] = launch;
                AppendLine(new LogLine(suiteCase.Key, launch));
            }
        }
    }

    public void Remove() => Try(() =>
    {
        Dispose();
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    });

    public void Dispose()
    {
        _file?.Dispose();
        _file = null;
        _lock?.Dispose();
        _lock = null;
    }

    /// <param name="length">What follows is a line that was cut short.</param>
    private void Open(SessionBegin begin, IReadOnlyDictionary<string, string> facts, long length)
    {
        Begin = begin;
        if (Failure is null && Try(() => _file = new FileStream(LogFile, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0)))
        {
            _file!.SetLength(length);
            AppendLine(new LogHead(begin.StartedAt, begin.Fitness, facts, Environment.ProcessId, DateTimeOffset.UtcNow));
        }
    }

    private void Load(string[] lines)
    {
        for (int line = 1; line < lines.Length; line++)
        {
            // Each continuation begins with a head.
            if (Parse<LogLine>(LogFile, lines, line, "Remove this line to measure its launch again.") is { Case: { } name, Launch: { } launch })
            {
                _launches[(name, launch.Number)] = launch;
            }
        }

        EarlierCount = _launches.Count;
    }

    // The disk may be full in the middle of a line.
    private void AppendLine<T>(T value)
    {
        if (_file is not { } file)
        {
            return;
        }

        byte[] line = Encoding.UTF8.GetBytes(JsonSerializer.Serialize(value, s_json) + "\n");
        long end = file.Seek(0, SeekOrigin.End);
        bool isWritten = Try(() =>
        {
            file.Write(line);
            file.Flush(flushToDisk: true);
        });
        _ = isWritten || Try(() => file.SetLength(end));
    }

    private static string[] ReadLines(string file)
    {
        try
        {
            using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            using var reader = new StreamReader(stream);
            return reader.ReadToEnd().Split('\n')[..^1];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput($"--continue: '{file}' cannot be read ({FileError.ReasonOf(exception)}). {Anew}", exception);
        }
    }

    private static T Parse<T>(string file, string[] lines, int line, string remedy)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(lines.ElementAtOrDefault(line) ?? string.Empty, s_json) ?? throw new JsonException("It holds nothing.");
        }
        catch (Exception exception) when (exception is JsonException or NotSupportedException)
        {
            throw BenchmarkException.BadInput(
                Invariant($"--continue: line {line + 1} of '{file}' cannot be read ({FileError.ReasonOf(exception)}). {remedy}"), exception);
        }
    }

    // A folder that cannot be written to has no lock, and no log either. If the file exists, the error is that another process has it open.
    private static FileStream? Lock(string folder)
    {
        string file = Path.Combine(folder, LockName);
        try
        {
            return new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException exception) when (File.Exists(file))
        {
            throw OptionValues.Rejected(
                "--output",
                $"'{Path.GetDirectoryName(folder)}' is in use by {OwnerOf(folder)}. Use another folder, or wait until the process has ended.",
                exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // The last head is that of the process.
    private static string OwnerOf(string folder)
    {
        string file = Path.Combine(folder, FileName);
        string[] heads = File.Exists(file) ? [.. ReadLines(file).Where(line => line.StartsWith(LogHead.Start, StringComparison.Ordinal))] : [];
        if (heads.Length == 0)
        {
            return "another process";
        }

        LogHead head = Parse<LogHead>(file, heads, heads.Length - 1, Anew);
        return Invariant($"process {head.ProcessId}, since {head.OpenedAt.ToLocalTime():yyyy-MM-dd HH:mm:ss}");
    }

    // A log that cannot be written must not stop the measurement. .NET calls EFBIG an argument that is out of range.
    private bool Try(Action write)
    {
        try
        {
            write();
            return true;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException)
        {
            Failure ??= exception is ArgumentOutOfRangeException ? $"'{LogFile}': File too large." : exception.Message;
            return false;
        }
    }

    private sealed record LogHead(
        DateTimeOffset StartedAt, Fitness Fitness, IReadOnlyDictionary<string, string> Facts, int ProcessId, DateTimeOffset OpenedAt)
    {
        /// <summary>The text by which a line is one with facts.</summary>
        public const string Start = "{\"startedAt\":";
    }

    private sealed record LogLine(string? Case, LaunchResult? Launch);
}
