namespace NetCoreNetworkBenchmark.Running.Machine.Native;

/// <summary>The layout is that of 64-bit Linux. A test compares it with the C compiler's.</summary>
internal static partial class SysResource
{
    public const int RUSAGE_SELF = 0;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int getrusage(int who, out RUsage usage);

    public static long? LimitOf(int resource) => OperatingSystem.IsWindows() || getrlimit(resource, out RLimit limit) != 0 || limit.rlim_cur >= long.MaxValue
        ? null
        : (long)limit.rlim_cur;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int getrlimit(int resource, out RLimit limit);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int setrlimit(int resource, in RLimit limit);

    [StructLayout(LayoutKind.Sequential)]
    public struct RLimit
    {
        public ulong rlim_cur;
        public ulong rlim_max;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct TimeVal
    {
        public long tv_sec;
        public long tv_usec;

        public readonly double Seconds => tv_sec + (tv_usec / 1e6);
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct RUsage
    {
        public TimeVal ru_utime;
        public TimeVal ru_stime;
        public long ru_maxrss;
        public long ru_ixrss;
        public long ru_idrss;
        public long ru_isrss;
        public long ru_minflt;
        public long ru_majflt;
        public long ru_nswap;
        public long ru_inblock;
        public long ru_oublock;
        public long ru_msgsnd;
        public long ru_msgrcv;
        public long ru_nsignals;
        public long ru_nvcsw;
        public long ru_nivcsw;
    }
}
