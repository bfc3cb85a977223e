using Microsoft.Win32.SafeHandles;

using static NetCoreNetworkBenchmark.Running.Machine.SysSched;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The cores that threads may use: of each thread on Linux, of the process on Windows. macOS has no such setting.</summary>
internal static class CoreAffinity
{
    private const string Tasks = "/proc/self/task";
    private const int MostPasses = 10;

    public static bool IsSupported => OperatingSystem.IsLinux() || OperatingSystem.IsWindows();

    public static IReadOnlyList<int> OfProcess()
    {
        if (OperatingSystem.IsWindows())
        {
            using Process process = Process.GetCurrentProcess();
            nint mask = process.ProcessorAffinity;
            return [.. Enumerable.Range(0, nint.Size * 8).Where(core => (mask & (nint)1 << core) != 0)];
        }

        return [.. Threads().SelectMany(OfThread).Distinct().Order()];
    }

    /// <summary>
    /// Returns the requested cores of one side and the cores in force in this process, which belongs to that side; null if the side was not bound.
    /// </summary>
    public static SidePinning? ReadBack(IReadOnlyList<int>? requested) => requested is null ? null : new SidePinning(requested, OfProcess());

    /// <summary>Binds this process with all its threads. Threads that they start later inherit the cores.</summary>
    public static void BindProcess(IReadOnlyList<int> cores)
    {
        if (OperatingSystem.IsWindows())
        {
            using Process process = Process.GetCurrentProcess();
            process.ProcessorAffinity = MaskOf(cores);
            return;
        }

        // A thread that is not bound yet may start another one meanwhile. The pass is repeated until there is none.
        for (int pass = 0; pass < MostPasses && !OfProcess().SequenceEqual(cores); pass++)
        {
            foreach (int thread in Threads())
            {
                Bind(thread, cores);
            }
        }
    }

    /// <summary>Binds the calling thread. Threads and processes that it starts inherit the cores (Linux).</summary>
    public static void BindThread(IReadOnlyList<int> cores) => Bind(0, cores);

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

/// <summary>The part of Linux's <c>sched.h</c> that is used here. A test compares the layout with the C compiler's.</summary>
internal static partial class SysSched
{
    /// <summary>Cores that a <see cref="CpuSet"/> has room for.</summary>
    public const int CPU_SETSIZE = 1024;

    /// <summary>No such thread (<c>errno.h</c>).</summary>
    public const int ESRCH = 3;

    /// <summary>The kind of namespace for <see cref="setns"/>: that of the network.</summary>
    public const int CLONE_NEWNET = 0x40000000;

    private const int BitsPerWord = 64;

    /// <param name="pid">The thread; 0 is the calling one.</param>
    [LibraryImport("libc", SetLastError = true)]
    public static partial int sched_setaffinity(int pid, nuint cpusetsize, in CpuSet mask);

    /// <param name="pid">The thread; 0 is the calling one.</param>
    [LibraryImport("libc", SetLastError = true)]
    public static partial int sched_getaffinity(int pid, nuint cpusetsize, out CpuSet mask);

    /// <param name="fd">A file that stands for the namespace.</param>
    /// <param name="nstype">The kind of namespace. Only the calling thread enters it.</param>
    [LibraryImport("libc", SetLastError = true)]
    public static partial int setns(SafeFileHandle fd, int nstype);

    /// <summary><c>cpu_set_t</c>: one bit for each core, the first in the lowest bit of the first word.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct CpuSet
    {
        private fixed ulong _bits[CPU_SETSIZE / BitsPerWord];

        /// <summary><c>CPU_SET</c>.</summary>
        public void Add(int core) => _bits[core / BitsPerWord] |= 1UL << (core % BitsPerWord);

        /// <summary><c>CPU_ISSET</c>.</summary>
        public readonly bool Contains(int core) => (_bits[core / BitsPerWord] & (1UL << (core % BitsPerWord))) != 0;
    }
}
