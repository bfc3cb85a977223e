using static NetCoreNetworkBenchmark.Running.Machine.Native.SysSched;

namespace NetCoreNetworkBenchmark.Running.Machine.Processes;

/// <summary>The cores that threads may use: of each thread on Linux, of the process on Windows. macOS has no such setting.</summary>
internal static class CoreAffinity
{
    private const string Tasks = "/proc/self/task";
    private const int MaxPasses = 10;

    public static bool IsSupported => OperatingSystem.IsLinux() || OperatingSystem.IsWindows();

    public static IReadOnlyList<int> OfProcess()
    {
        if (OperatingSystem.IsWindows())
        {
            using Process process = Process.GetCurrentProcess();
            nint mask = process.ProcessorAffinity;

            // The mask has the cores of one processor group. It is 0 if the process has threads in several (GetProcessAffinityMask of winbase.h).
            return [.. Enumerable.Range(0, nint.Size * 8).Where(core => mask == 0 ? core < Environment.ProcessorCount : (mask & (nint)1 << core) != 0)];
        }

        return [.. Threads().SelectMany(OfThread).Distinct().Order()];
    }

    public static SidePinning? ReadBack(IReadOnlyList<int>? requested) => requested is null ? null : new SidePinning(requested, OfProcess());

    /// <summary>Threads that are started later inherit the cores.</summary>
    public static void BindProcess(IReadOnlyList<int> cores)
    {
        if (OperatingSystem.IsWindows())
        {
            using Process process = Process.GetCurrentProcess();
            process.ProcessorAffinity = MaskOf(cores);
            return;
        }

        // A thread that is not bound yet may start another one meanwhile. The pass is repeated until there is none.
        for (int pass = 0; pass < MaxPasses && !OfProcess().SequenceEqual(cores); pass++)
        {
            foreach (int thread in Threads())
            {
                Bind(thread, cores);
            }
        }
    }

    /// <summary>Threads and processes that the calling thread starts inherit the cores (Linux).</summary>
    public static void BindThread(IReadOnlyList<int> cores) => Bind(0, cores);

    /// <summary>The cores are of one processor group of Windows, so below 64.</summary>
    public static nint MaskOf(IReadOnlyList<int> cores) => cores.Aggregate((nint)0, (mask, core) => mask | ((nint)1 << core));

    private static IEnumerable<int> Threads() =>
        Directory.GetDirectories(Tasks).Select(task => int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture));

    private static int[] OfThread(int thread)
    {
        return sched_getaffinity(thread, (nuint)Unsafe.SizeOf<CpuSet>(), out CpuSet cores) == 0
            ? [.. Enumerable.Range(0, CPU_SETSIZE).Where(core => cores.Contains(core))]
            : HasEnded() ? [] : throw Refused("report the cores of a thread");
    }

    private static void Bind(int thread, IReadOnlyList<int> cores)
    {
        var wanted = default(CpuSet);
        foreach (int core in cores)
        {
            wanted.Add(core);
        }

        if (sched_setaffinity(thread, (nuint)Unsafe.SizeOf<CpuSet>(), in wanted) != 0 && !HasEnded())
        {
            throw Refused($"bind a thread to cores {CoreList.Text(cores)}");
        }
    }

    // A thread may end after the folder is read and before the call.
    private static bool HasEnded() => Marshal.GetLastPInvokeError() == ESRCH;

    private static BenchmarkException Refused(string what) => new($"The system does not {what}: {Marshal.GetLastPInvokeErrorMessage()}.");
}

/// <summary>Processes are bound from their first moment, so that their runtime counts no other cores.</summary>
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
