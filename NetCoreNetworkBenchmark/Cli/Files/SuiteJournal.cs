using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>
/// The measurements of a predefined benchmark so far, in a folder beside its results: a file that identifies the benchmark, and a file for each
/// completed launch. A benchmark that ended in any way can therefore continue where it stopped.
/// </summary>
internal sealed class SuiteJournal(string resultFolder, IReadOnlyList<SuiteCase> cases, SuiteBegin begin)
{
    public const string Name = "unfinished";

    /// <summary>The name of the folder for the journal of a benchmark that was abandoned for a new one.</summary>
    public const string NameBefore = "unfinished-before";

    private const string HeadName = "benchmark.json";

    // The style of results.
    private static readonly JsonSerializerOptions s_json = new(ResultJson.Readable.Options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

    private readonly string _folder = Path.Combine(resultFolder, Name);
    private readonly Dictionary<string, LaunchResult> _earlier = [];

    public SuiteBegin Begin => begin;

    public int EarlierCount => _earlier.Count;

    /// <summary>The reason why data could not be saved; null if all data was saved. A continuation repeats launches that are not saved.</summary>
    public string? Failure { get; private set; }

    public static bool IsIn(string resultFolder) => File.Exists(Path.Combine(resultFolder, Name, HeadName));

    /// <summary>Begins a journal. An existing one is kept under another name.</summary>
    public static SuiteJournal Start(string resultFolder, IReadOnlyList<SuiteCase> cases, string command, SuiteBegin begin)
    {
        var journal = new SuiteJournal(resultFolder, cases, begin);
        journal.Try(() =>
        {
            if (Directory.Exists(journal._folder))
            {
                string before = Path.Combine(resultFolder, NameBefore);
                Remove(before);
                Directory.Move(journal._folder, before);
            }

            string head = JsonSerializer.Serialize(new JournalHead(begin.StartedAt, begin.Fitness, JournalFacts.Of(cases, command)), s_json);
            AtomicFile.Write(Path.Combine(journal._folder, HeadName), writer => writer.WriteLine(head));
        });
        return journal;
    }

    public static SuiteJournal Continue(string resultFolder, IReadOnlyList<SuiteCase> cases, string command)
    {
        string head = Path.Combine(resultFolder, Name, HeadName);
        if (!File.Exists(head))
        {
            throw BenchmarkException.BadInput($"--continue: '{resultFolder}' has no interrupted benchmark. Omit --continue to start from the beginning.");
        }

        var begun = Read<JournalHead>(head);
        if (JournalFacts.FindDifference(begun.Facts, JournalFacts.Of(cases, command)) is { } difference)
        {
            throw BenchmarkException.BadInput(
                $"--continue: the interrupted benchmark in '{resultFolder}' differs: {difference}. Omit --continue to start from the beginning.");
        }

        var journal = new SuiteJournal(resultFolder, cases, new SuiteBegin(begun.StartedAt, begun.Fitness));
        foreach (string file in Directory.EnumerateFiles(journal._folder, "launch-*.json"))
        {
            journal._earlier[file] = Read<LaunchResult>(file);
        }

        return journal;
    }

    public LaunchResult? Find(SuiteCase suiteCase, int launch) => _earlier.GetValueOrDefault(PathOf(suiteCase, launch));

    public void Save(SuiteCase suiteCase, LaunchResult launch)
    {
        string text = JsonSerializer.Serialize(launch, s_json);
        Try(() => AtomicFile.Write(PathOf(suiteCase, launch.Number), writer => writer.WriteLine(text)));
    }

    public void Remove() => Try(() => Remove(_folder));

    private static void Remove(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // A journal that cannot be written must not stop the measurement.
    private void Try(Action write)
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

    // The name contains the position of the case: the head defines the cases and their order.
    private string PathOf(SuiteCase suiteCase, int launch)
    {
        int number = cases.TakeWhile(earlier => !ReferenceEquals(earlier, suiteCase)).Count() + 1;
        return Path.Combine(_folder, Invariant($"launch-{number:000}-{launch:00}.json"));
    }

    private static T Read<T>(string file)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(File.ReadAllText(file), s_json) ?? throw new JsonException("It holds nothing.");
        }
        catch (Exception exception) when (exception is JsonException or NotSupportedException or IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput(
                $"--continue: '{file}' cannot be read ({exception.Message.TrimEnd('.')}). Remove it to measure its launch again.", exception);
        }
    }
}

/// <summary>
/// The facts that must be the same in all launches of a benchmark, by name. Figures of different programs, machines or loads have no common median.
/// </summary>
internal static class JournalFacts
{
    private const int LongestShown = 200;

    public static IReadOnlyDictionary<string, string> Of(IReadOnlyList<SuiteCase> cases, string command)
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
        foreach (SuiteCase suiteCase in cases)
        {
            string plan = JsonSerializer.Serialize(suiteCase.Plan, FrameJson.Default.RunPlan);
            facts[$"case '{suiteCase}'"] = Invariant($"{suiteCase.Launches} launches of version {suiteCase.Library.Version} with the plan {plan}");
        }

        return facts;
    }

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
