using System.ComponentModel;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal static class AgentProgram
{
    public const string Option = "--agent";

    /// <param name="build">Another build of this program, as the path of its assembly; null for this build.</param>
    public static ProcessStartInfo Start(string? build, RuntimePlan? runtime)
    {
        string[] own = HostLauncher.OwnProgram();
        string[] program = build is null ? own : [own is [var host, _] ? host : "dotnet", build];
        var start = new ProcessStartInfo(program[0], [.. program[1..], Option]);
        foreach ((string name, string value) in runtime?.Environment ?? [])
        {
            start.Environment[name] = value;
        }

        return start;
    }

    public static ChildProcess Launch(string name, ProcessStartInfo start, IReadOnlyList<int>? cores)
    {
        string program = start.FileName;
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        try
        {
            return PinnedProcess.Start(start, cores);
        }
        catch (Win32Exception exception)
        {
            throw new BenchmarkException($"{name} could not be started ('{program}'): {exception.Message.TrimEnd('.')}.", exception);
        }
    }
}
