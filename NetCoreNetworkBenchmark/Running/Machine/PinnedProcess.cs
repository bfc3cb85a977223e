using System.Diagnostics;
using NetCoreNetworkBenchmark.AdapterKit;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Starts processes that are bound to cores from their first moment, so that their runtime counts no others.</summary>
internal static class PinnedProcess
{
    /// <summary>Starts a process.</summary>
    /// <param name="start">The program and its arguments.</param>
    /// <param name="cores">The cores of the process; null if it is not bound.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    /// <exception cref="BenchmarkException">The system refuses the cores, or the start took too long.</exception>
    public static ChildProcess Start(ProcessStartInfo start, IReadOnlyList<int>? cores)
    {
        if (!OperatingSystem.IsWindows())
        {
            // A process inherits the cores of the thread that starts it.
            return ChildProcess.Start(start, cores is null ? null : () => CoreAffinity.BindThread(cores));
        }

        ChildProcess process = ChildProcess.Start(start);
        if (cores is not null)
        {
            // On Windows, Process has no way to bind it earlier.
            process.ProcessorAffinity = CoreAffinity.MaskOf(cores);
        }

        return process;
    }
}
