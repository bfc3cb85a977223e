using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>
/// The steps of a command so far, in a folder beside its results: a file that identifies the command, and a file for each completed step. A command that ended
/// in any way can therefore continue where it stopped.
/// </summary>
internal abstract class Journal
{
    public const string Name = "unfinished";

    /// <summary>The name of the folder for the journal of a measurement that was abandoned for a new one.</summary>
    public const string NameBefore = "unfinished-before";

    protected const string HeadName = "benchmark.json";
    protected const string Anew = "Omit --continue to start from the beginning.";

    // The style of results.
    private static readonly JsonSerializerOptions s_json = new(ResultJson.Readable.Options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    protected Journal(string resultFolder) => Folder = Path.Combine(resultFolder, Name);

    /// <summary>The number of steps of the interrupted measurement.</summary>
    public abstract int EarlierCount { get; }

    /// <summary>The word for several steps.</summary>
    public abstract string Steps { get; }

    /// <summary>The reason why data could not be saved; null if all data was saved. A continuation repeats steps that are not saved.</summary>
    public string? Failure { get; private set; }

    protected string Folder { get; }

    public static bool IsIn(string resultFolder) => File.Exists(Path.Combine(resultFolder, Name, HeadName));

    public void Remove() => Try(() => Remove(Folder));

    protected static void Remove(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }

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
                $"--continue: '{file}' cannot be read ({exception.Message.TrimEnd('.')}). {remedy}", exception);
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

/// <param name="step">The word for a step, with which the names of their files begin.</param>
internal abstract class Journal<TStep>(string resultFolder, SuiteBegin begin, string step) : Journal(resultFolder)
    where TStep : class
{
    private readonly Dictionary<string, TStep> _earlier = [];

    public SuiteBegin Begin => begin;

    public sealed override int EarlierCount => _earlier.Count;

    public sealed override string Steps => step == "launch" ? "launches" : $"{step}s";

    protected TStep? Find(string number) => _earlier.GetValueOrDefault(PathOf(number));

    protected void Save(string number, TStep value) => Write(PathOf(number), value);

    /// <summary>Begins the journal. An existing one is kept under another name.</summary>
    protected void Start(IReadOnlyDictionary<string, string> facts)
    {
        Try(() =>
        {
            if (Directory.Exists(Folder))
            {
                string before = Path.Combine(Path.GetDirectoryName(Folder)!, NameBefore);
                Remove(before);
                Directory.Move(Folder, before);
            }
        });
        if (Failure is null)
        {
            Write(HeadName, new JournalHead(begin.StartedAt, begin.Fitness, facts));
        }
    }

    protected void Load()
    {
        foreach (string file in Directory.EnumerateFiles(Folder, $"{step}-*.json"))
        {
            _earlier[file] = Read<TStep>(file, $"Remove it to measure its {step} again.");
        }
    }

    /// <summary>Reads the beginning of a measurement that must be the same as the one of the facts.</summary>
    protected static SuiteBegin BeginOf(string resultFolder, IReadOnlyDictionary<string, string> facts)
    {
        if (!IsIn(resultFolder))
        {
            throw BenchmarkException.BadInput($"--continue: '{resultFolder}' has no interrupted measurement. {Anew}");
        }

        JournalHead begun = Read<JournalHead>(Path.Combine(resultFolder, Name, HeadName), Anew);
        return JournalFacts.FindDifference(begun.Facts, facts) is { } difference
            ? throw BenchmarkException.BadInput(
                $"--continue: the interrupted measurement in '{resultFolder}' differs: {difference}. {Anew}")
            : new SuiteBegin(begun.StartedAt, begun.Fitness);
    }

    private string PathOf(string number) => Path.Combine(Folder, $"{step}-{number}.json");
}

/// <summary>
/// The facts that must be the same in all steps of a measurement, by name. Figures of different programs, machines or loads have no common median.
/// </summary>
internal static class JournalFacts
{
    private const int LongestShown = 200;

    /// <param name="loads">What is measured, by name.</param>
    public static IReadOnlyDictionary<string, string> Of(string command, IEnumerable<(string Name, string Text)> loads)
    {
        EnvironmentInfo machine = MachineInspector.Inspect();
        var facts = new Dictionary<string, string>
        {
            ["version of the program"] = ResultBuilder.HarnessVersion,
            ["build of the program"] = $"{typeof(JournalFacts).Module.ModuleVersionId} {typeof(RunPlan).Module.ModuleVersionId}",
            ["command"] = command,
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

    public static string TextOf(RunPlan plan, LibraryInfo library) =>
        $"version {library.Version} with the plan {JsonSerializer.Serialize(plan, FrameJson.Default.RunPlan)}";

    public static string? FindDifference(IReadOnlyDictionary<string, string> old, IReadOnlyDictionary<string, string> now) =>
        now.Keys.Concat(old.Keys).Select(name => (old.GetValueOrDefault(name), now.GetValueOrDefault(name)) switch
        {
            (null, _) => $"it had no {name}",
            (_, null) => $"it had the {name}, which is not part of this one",
            ({ } before, { } here) when before == here => null,
            ({ } before, { } here) when before.Length + here.Length > LongestShown => $"its {name} had another plan",
            ({ } before, { } here) => $"its {name} was '{before}' and is '{here}' here",
        }).FirstOrDefault(difference => difference is not null);
}

internal sealed record JournalHead(DateTimeOffset StartedAt, Fitness Fitness, IReadOnlyDictionary<string, string> Facts);
