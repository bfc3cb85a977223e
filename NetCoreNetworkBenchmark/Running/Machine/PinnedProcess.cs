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
    /// <param name="end">Set when the process has ended. Until then, the thread that has started it lives.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    /// <exception cref="BenchmarkException">The system refuses the cores.</exception>
    public static Process Start(ProcessStartInfo start, IReadOnlyList<int>? cores, ManualResetEventSlim end)
    {
        if (!OperatingSystem.IsWindows())
        {
            return StartFromOwnThread(start, cores, end);
        }

        Process process = Process.Start(start)!;
        if (cores is not null)
        {
            // On Windows, Process has no way to bind it earlier.
            process.ProcessorAffinity = CoreAffinity.MaskOf(cores);
        }

        return process;
    }

    // A process inherits the cores of the thread that starts it. Nothing else in this process runs on that thread.
    private static Process StartFromOwnThread(ProcessStartInfo start, IReadOnlyList<int>? cores, ManualResetEventSlim end)
    {
        var started = new TaskCompletionSource<Process>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() =>
        {
            try
            {
                if (cores is not null)
                {
                    CoreAffinity.BindThread(cores);
                }

                started.SetResult(Process.Start(start)!);
            }
            catch (Exception exception)
            {
                started.SetException(exception);
                return;
            }

            end.Wait();
        })
        {
            Name = "start of a process",
            IsBackground = true,
        };
        thread.Start();
        return Task.WaitAny([started.Task], Deadlines.Process) == 0
            ? started.Task.GetAwaiter().GetResult()
            : throw new BenchmarkException($"The start of '{start.FileName}' took longer than {Deadlines.Process.TotalSeconds:0.#} s.");
    }
}
