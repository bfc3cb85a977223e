using NetCoreNetworkBenchmark.AdapterKit;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Starts processes that are bound to cores from their first moment, so that their runtime counts no others.</summary>
internal static class PinnedProcess
{
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
