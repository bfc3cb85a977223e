using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>The completed steps of a command, in a folder beside its results, so that a command that ended in any way can continue.</summary>
internal abstract class Journal : IDisposable
{
    public const string Name = "unfinished";

    protected const string HeadName = "benchmark.json";
    protected const string Anew = "Use --force instead of --continue to start from the beginning.";
    private const string LockName = "lock";
    private static readonly JsonSerializerOptions s_json = new(ResultJson.Readable.Options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    // The system releases it when the process ends, in any way.
    private FileStream? _lock;

    protected Journal(string resultFolder)
    {
        Folder = Path.Combine(resultFolder, Name);
        Try(() => Directory.CreateDirectory(Folder));
        _lock = Failure is null ? Lock(Folder) : null;
    }

    public abstract int EarlierCount { get; }
    public abstract string StepNounPlural { get; }

    public string EarlierSteps => Plural.Format(EarlierCount, StepNoun, StepNounPlural);

    protected abstract string StepNoun { get; }

    /// <summary>The reason why steps could not be saved, which a continuation repeats; null if all were saved.</summary>
    public string? Failure { get; private set; }

    protected string Folder { get; }

    public static bool IsIn(string resultFolder) => File.Exists(HeadOf(Path.Combine(resultFolder, Name)));

    /// <summary>Throws for an interrupted measurement, and for one that another process is still making.</summary>
    public static void RequireNone(string resultFolder)
    {
        if (IsIn(resultFolder))
        {
            Lock(Path.Combine(resultFolder, Name))?.Dispose();
            throw OptionValues.Rejected(
                "--output",
                $"'{resultFolder}' has an interrupted measurement. Use --continue to continue it, --force to delete it and start anew, or another folder.");
        }
    }

    public void Remove() => Try(() =>
    {
        Dispose();
        if (Directory.Exists(Folder))
        {
            Directory.Delete(Folder, recursive: true);
        }
    });

    public void Dispose()
    {
        _lock?.Dispose();
        _lock = null;
    }

    protected static string HeadOf(string folder) => Path.Combine(folder, HeadName);

    protected void WriteHead(JournalHead head) => Write(HeadName, head with { ProcessId = Environment.ProcessId, LockedAt = DateTimeOffset.UtcNow });

    protected void Write<T>(string file, T value)
    {
        string text = JsonSerializer.Serialize(value, s_json);
        Try(() => AtomicFile.Write(Path.Combine(Folder, file), writer => writer.WriteLine(text)));
    }

    protected static T Read<T>(string file, string remedy)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(File.ReadAllText(file), s_json) ?? throw new JsonException("It holds nothing.");
        }
        catch (Exception exception) when (exception is JsonException or NotSupportedException or IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput(
                $"--continue: '{file}' cannot be read ({FileError.ReasonOf(exception)}). {remedy}", exception);
        }
    }

    // A folder that cannot be written to has no lock, and no journal either. If the file exists, the error is that another process has it open.
    private static FileStream? Lock(string folder)
    {
        string file = Path.Combine(folder, LockName);
        try
        {
            return new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException exception) when (File.Exists(file))
        {
            string owner = File.Exists(HeadOf(folder)) && Read<JournalHead>(HeadOf(folder), Anew) is { ProcessId: > 0 } head
                ? Invariant($"process {head.ProcessId}, since {head.LockedAt.ToLocalTime():yyyy-MM-dd HH:mm:ss}")
                : "another process";
            throw OptionValues.Rejected(
                "--output", $"'{Path.GetDirectoryName(folder)}' is in use by {owner}. Use another folder, or wait until the process has ended.", exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // A journal that cannot be written must not stop the measurement.
    protected void Try(Action write)
    {
        try
        {
            write();
        }
        catch (Exception exception) when (exception is BenchmarkException or IOException or UnauthorizedAccessException)
        {
            Failure ??= exception.Message;
        }
    }
}

/// <param name="stepNoun">The names of their files begin with it.</param>
internal abstract class Journal<TStep>(string resultFolder, SuiteBegin begin, string stepNoun) : Journal(resultFolder)
    where TStep : class
{
    private readonly Dictionary<string, TStep> _earlier = [];
    private string _factsHash = string.Empty;

    public SuiteBegin Begin => begin;

    public sealed override int EarlierCount => _earlier.Count;

    protected sealed override string StepNoun => stepNoun;

    public sealed override string StepNounPlural => stepNoun == "launch" ? "launches" : $"{stepNoun}s";

    protected TStep? Find(string number) => _earlier.GetValueOrDefault(PathOf(number));

    protected void Save(string number, TStep value) => Write(PathOf(number), new JournalRecord<TStep>(_factsHash, value));

    protected void Start(IReadOnlyDictionary<string, string> facts)
    {
        _factsHash = JournalFacts.HashOf(facts);
        Try(() =>
        {
            foreach (string file in Directory.EnumerateFiles(Folder, "*.json"))
            {
                File.Delete(file);
            }
        });
        if (Failure is null)
        {
            WriteHead(new JournalHead(begin.StartedAt, begin.Fitness, facts));
        }
    }

    protected void Load(IReadOnlyDictionary<string, string> facts)
    {
        _factsHash = JournalFacts.HashOf(facts);
        WriteHead(new JournalHead(begin.StartedAt, begin.Fitness, facts));
        try
        {
            foreach (string file in Directory.EnumerateFiles(Folder, $"{stepNoun}-*.json"))
            {
                _earlier[file] = ReadStep(file, $"Remove it to measure its {stepNoun} again.");
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private TStep ReadStep(string file, string remedy)
    {
        JournalRecord<TStep> saved = Read<JournalRecord<TStep>>(file, remedy);
        return saved.FactsHash == _factsHash
            ? saved.Step
            : throw BenchmarkException.BadInput($"--continue: '{file}' was measured with another plan, machine or program. {remedy}");
    }

    protected static SuiteBegin BeginOf(string resultFolder, IReadOnlyDictionary<string, string> facts)
    {
        if (!IsIn(resultFolder))
        {
            throw BenchmarkException.BadInput(
                $"--continue: '{resultFolder}' has no interrupted measurement. Omit --continue to start from the beginning.");
        }

        JournalHead begun = Read<JournalHead>(HeadOf(Path.Combine(resultFolder, Name)), Anew);
        return JournalFacts.FindDifference(begun.Facts, facts) is { } difference
            ? throw BenchmarkException.BadInput(
                $"--continue: the interrupted measurement in '{resultFolder}' differs: {difference}. Repeat the command that began it. {Anew}")
            : new SuiteBegin(begun.StartedAt, begun.Fitness);
    }

    private string PathOf(string number) => Path.Combine(Folder, $"{stepNoun}-{number}.json");
}

/// <summary>The facts that must be the same in all steps: figures of different programs, machines or loads have no common median.</summary>
internal static partial class JournalFacts
{
    private const int LongestShown = 200;

    public static IReadOnlyDictionary<string, string> Create(string command, IEnumerable<(string Name, string Text)> loads)
    {
        EnvironmentInfo machine = MachineInspector.Inspect();
        var facts = new Dictionary<string, string>
        {
            ["version of the program"] = ResultBuilder.HarnessVersion,
            ["build of the program"] = HelloFrame.OwnBuild,
            ["command"] = WithoutScript(command),
            ["operating system"] = $"{machine.Os}, {machine.Kernel}",
            ["CPU"] = Invariant($"{machine.Cpu}, {machine.Cores} cores, quota {machine.CpuQuota}, {machine.Architecture}"),
            [".NET runtime"] = $"{machine.Framework}, garbage collector {machine.GarbageCollector}, JIT {machine.Jit}",
            ["limit of socket buffers"] = Invariant($"{machine.SocketReceiveBufferLimit}"),
            ["settings of the runtime"] = string.Join(' ', machine.RuntimeSettings.Select(setting => $"{setting.Key}={setting.Value}")),
        };
        foreach ((string name, string text) in loads)
        {
            facts[name] = text;
        }

        return facts;
    }

    // A script and the program that it starts measure the same.
    private static string WithoutScript(string command) =>
        ShellCommand.Quote(ProgramName.Typed) is var typed && command.StartsWith(typed, StringComparison.Ordinal)
            ? ProgramName.Current + command[typed.Length..]
            : command;

    public static string Describe(RunPlan plan, LibraryInfo library) =>
        $"version {library.Version} with the plan {JsonSerializer.Serialize(plan, FrameJson.Default.RunPlan)}";

    public static string HashOf(IReadOnlyDictionary<string, string> facts) =>
        Convert.ToHexString(SHA256.HashData(JsonSerializer.SerializeToUtf8Bytes(facts.OrderBy(fact => fact.Key, StringComparer.Ordinal))));

    public static string? FindDifference(IReadOnlyDictionary<string, string> old, IReadOnlyDictionary<string, string> now) =>
        now.Keys.Concat(old.Keys).Select(name => (old.GetValueOrDefault(name), now.GetValueOrDefault(name)) switch
        {
            (null, _) => $"it had no {name}",
            (_, null) => $"it had the {name}, which is not part of this one",
            ({ } before, { } here) when before == here => null,
            ({ } before, { } here) => $"its {name} {Describe(before, here)}",
        }).FirstOrDefault(difference => difference is not null);

    // A long command, or a plan, differs in few of its parts.
    private static string Describe(string before, string here)
    {
        if (before.Length + here.Length <= LongestShown)
        {
            return $"was '{before}' and is '{here}' here";
        }

        (string[] old, string[] now) = (PartsOf(before), PartsOf(here));
        int first = old.Zip(now).TakeWhile(pair => pair.First == pair.Second).Count();
        int last = old[first..].Reverse().Zip(now[first..].Reverse()).TakeWhile(pair => pair.First == pair.Second).Count();
        (before, here) = (string.Join(' ', old[first..^last]), string.Join(' ', now[first..^last]));
        return before.Length + here.Length > LongestShown ? "had another plan"
            : before.Length == 0 ? $"has '{here}' here"
            : here.Length == 0 ? $"had '{before}', which is not here"
            : $"had '{before}' and has '{here}' here";
    }

    // Options with their values, and the members of a plan.
    private static string[] PartsOf(string text) => [.. PartOfText().Split(text).Select(part => part.Trim()).Where(part => part.Length > 0)];

    [GeneratedRegex(" (?=--)|,(?=\")|[{}]")]
    private static partial Regex PartOfText();
}

internal sealed record JournalHead(DateTimeOffset StartedAt, Fitness Fitness, IReadOnlyDictionary<string, string> Facts)
{
    public int ProcessId { get; init; }
    public DateTimeOffset LockedAt { get; init; }
}

internal sealed record JournalRecord<TStep>(string FactsHash, TStep Step);
