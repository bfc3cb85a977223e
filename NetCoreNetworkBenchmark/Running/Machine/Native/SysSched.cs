using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Running.Machine.Native;

/// <summary>The part of Linux's <c>sched.h</c> that is used here. A test compares the layout with the C compiler's.</summary>
internal static partial class SysSched
{
    /// <summary>The number of cores in a <see cref="CpuSet"/>.</summary>
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
