using System.ComponentModel;
using NetCoreNetworkBenchmark.AdapterKit;
using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal static class AgentProgram
{
    public const string Option = "--agent";

    /// <param name="build">Another build of this program, as the path of its assembly; null for this build.</param>
    public static ProcessStartInfo Start(string? build, RuntimePlan? runtime)
    {
        const string Host = "dotnet";
        string program = Environment.ProcessPath ?? throw new InvalidOperationException("The path of this program is not known.");

        // Started as 'dotnet NetCoreNetworkBenchmark.dll', the process is dotnet and needs the program as an argument.
        bool isHost = Path.GetFileNameWithoutExtension(program).Equals(Host, StringComparison.OrdinalIgnoreCase);
        var start = new ProcessStartInfo(isHost || build is null ? program : Host);
        if (isHost || build is not null)
        {
            start.ArgumentList.Add(build ?? Environment.GetCommandLineArgs()[0]);
        }

        start.ArgumentList.Add(Option);
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
