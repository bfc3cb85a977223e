using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Running.Machine.Native;

/// <summary>A test compares the layout with the C compiler's.</summary>
internal static partial class SysSched
{
    public const int CPU_SETSIZE = 1024;

    /// <summary>No such thread (<c>errno.h</c>).</summary>
    public const int ESRCH = 3;

    public const int CLONE_NEWNET = 0x40000000;

    private const int BitsPerWord = 64;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int sched_setaffinity(int pid, nuint cpusetsize, in CpuSet mask);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int sched_getaffinity(int pid, nuint cpusetsize, out CpuSet mask);

    /// <summary>Only the calling thread enters the namespace (setns(2)).</summary>
    [LibraryImport("libc", SetLastError = true)]
    public static partial int setns(SafeFileHandle fd, int nstype);

    /// <summary>Only the calling thread enters the new namespace (unshare(2)).</summary>
    [LibraryImport("libc", SetLastError = true)]
    public static partial int unshare(int flags);

    /// <summary><c>cpu_set_t</c>: one bit for each core, the first in the lowest bit of the first word.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct CpuSet
    {
        private fixed ulong _bits[CPU_SETSIZE / BitsPerWord];

        public void Add(int core) => _bits[core / BitsPerWord] |= 1UL << (core % BitsPerWord);

        public readonly bool Contains(int core) => (_bits[core / BitsPerWord] & (1UL << (core % BitsPerWord))) != 0;
    }
}
