using System.Text.Json;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Files;

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
            ["CPU"] = string.Create(CultureInfo.InvariantCulture, $"{machine.Cpu}, {machine.Cores} cores, quota {machine.CpuQuota}, {machine.Architecture}"),
            [".NET runtime"] = $"{machine.Framework}, garbage collector {machine.GarbageCollector}, JIT {machine.Jit}",
            ["limit of socket buffers"] = string.Create(CultureInfo.InvariantCulture, $"{machine.SocketReceiveBufferLimit}"),
            ["settings of the runtime"] = string.Join(' ', machine.RuntimeSettings.Select(setting => $"{setting.Key}={setting.Value}")),
        };
        foreach (SuiteCase suiteCase in cases)
        {
            string plan = JsonSerializer.Serialize(suiteCase.Plan, FrameJson.Default.RunPlan);
            facts[$"case '{suiteCase}'"] = string.Create(
                CultureInfo.InvariantCulture,
                $"{suiteCase.Launches} launches of version {suiteCase.Library.Version} with the plan {plan}");
        }

        return facts;
    }

    public static string? FindDifference(IReadOnlyDictionary<string, string> old, IReadOnlyDictionary<string, string> now)
    {
        foreach (string name in now.Keys.Concat(old.Keys))
        {
            switch (old.GetValueOrDefault(name), now.GetValueOrDefault(name))
            {
                case (null, _):
                    return $"it had no {name}";
                case (_, null):
                    return $"it had the {name}, which is not part of this one";
                case ({ } before, { } here) when before != here:
                    return before.Length + here.Length > LongestShown ? $"its {name} had another plan" : $"its {name} was '{before}' and is '{here}' here";
            }
        }

        return null;
    }
}

/// <summary>The head of a journal, which identifies its benchmark.</summary>
internal sealed record JournalHead(DateTimeOffset StartedAt, Fitness Fitness, IReadOnlyDictionary<string, string> Facts);
