using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>The facts that must be the same in all steps: figures of different programs, machines or loads have no common median.</summary>
internal static partial class SessionFacts
{
    private const int LongestShown = 200;

    private static readonly Module[] s_modules =
    [
        typeof(SessionFacts).Module, typeof(RunPlan).Module, BuiltIn.Libraries.ManifestModule, BuiltIn.Workloads.ManifestModule,
        BuiltIn.Benchmarks.ManifestModule,
    ];

    public static IReadOnlyDictionary<string, string> From(string command, IEnumerable<SuiteCase> cases)
    {
        EnvironmentInfo machine = MachineInspector.Inspect();
        var facts = new Dictionary<string, string>
        {
            ["version of the program"] = ResultBuilder.HarnessVersion,
            ["build of the program"] = string.Join(' ', s_modules.Select(module => module.ModuleVersionId)),
            ["command"] = WithoutScript(command),
            ["operating system"] = $"{machine.Os}, {machine.Kernel}",
            ["CPU"] = Invariant($"{machine.Cpu}, {machine.Cores} cores, quota {machine.CpuQuota}, {machine.Architecture}"),
            [".NET runtime"] = $"{machine.Framework}, garbage collector {machine.GarbageCollector}, JIT {machine.Jit}",
            ["limit of socket buffers"] = Invariant($"{machine.SocketReceiveBufferLimit}"),
            ["settings of the runtime"] = string.Join(' ', machine.RuntimeSettings.Select(setting => $"{setting.Key}={setting.Value}")),
        };
        foreach (SuiteCase suiteCase in cases)
        {
            facts[$"case '{suiteCase}'"] = Describe(suiteCase);
        }

        return facts;
    }

    // A script and the program that it starts measure the same.
    private static string WithoutScript(string command) =>
        ShellCommand.Quote(ProgramName.Typed) is var typed && command.StartsWith(typed, StringComparison.Ordinal)
            ? ProgramName.Current + command[typed.Length..]
            : command;

    private static string Describe(SuiteCase suiteCase) => string.Concat(
    [
        Plural.Format(suiteCase.Launches, "launch", "launches"),
        $" of version {suiteCase.Library.Version} with the plan {JsonSerializer.Serialize(suiteCase.Plan, FrameJson.Default.RunPlan)}",
        suiteCase.Adapter is { } adapter ? $" and the adapter {Describe(adapter.Path)}" : string.Empty,
        suiteCase.Build is { } build ? $" and the build {Describe(build)}" : string.Empty,
    ]);

    // An assembly that is built again is another one, and so are those beside it.
    private static string Describe(string assembly) =>
        Invariant($"{assembly} of {Directory.GetFiles(Path.GetDirectoryName(assembly)!, "*.dll").Max(File.GetLastWriteTimeUtc):O}");

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
