using System.Diagnostics;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>Starts processes that are bound to cores from their first moment, so that their runtime counts no others.</summary>
internal static class PinnedProcess
{
    /// <summary>Starts a process.</summary>
    /// <param name="start">The program and its arguments.</param>
    /// <param name="cores">The cores of the process; null if it is not bound.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    /// <exception cref="BenchmarkException">The system refuses the cores.</exception>
    public static Process Start(ProcessStartInfo start, IReadOnlyList<int>? cores)
    {
        if (cores is null)
        {
            return Process.Start(start)!;
        }

        if (OperatingSystem.IsWindows())
        {
            // On Windows, Process has no way to bind it earlier.
            Process process = Process.Start(start)!;
            process.ProcessorAffinity = CoreAffinity.MaskOf(cores);
            return process;
        }

        return StartFromBoundThread(start, cores);
    }

    // A process inherits the cores of the thread that starts it. The thread ends at once, so that nothing else in this process is bound.
    private static Process StartFromBoundThread(ProcessStartInfo start, IReadOnlyList<int> cores)
    {
        var started = new TaskCompletionSource<Process>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() =>
        {
            try
            {
                CoreAffinity.BindThread(cores);
                started.SetResult(Process.Start(start)!);
            }
            catch (Exception exception)
            {
                started.SetException(exception);
            }
        })
        {
            Name = "start of a bound process",
            IsBackground = true,
        };
        thread.Start();
        return thread.Join(Deadlines.Process)
            ? started.Task.GetAwaiter().GetResult()
            : throw new BenchmarkException($"The start of '{start.FileName}' took longer than {Deadlines.Process.TotalSeconds:0.#} s.");
    }
}
