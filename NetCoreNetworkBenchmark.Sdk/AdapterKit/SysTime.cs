namespace NetCoreNetworkBenchmark.AdapterKit;

/// <summary>The part of Linux's <c>time.h</c> that is used here. A test compares the layout with the C compiler's.</summary>
public static partial class SysTime
{
    /// <summary>The CPU time of the calling thread (clock_gettime(2)).</summary>
    public const int CLOCK_THREAD_CPUTIME_ID = 3;

    /// <summary>A clock that is never set, and that runs on while the machine is suspended (clock_gettime(2)).</summary>
    public const int CLOCK_BOOTTIME = 7;

    [LibraryImport("libc", SetLastError = true)] public static partial int clock_gettime(int clockid, out TimeSpec tp);

    /// <summary>The time of a clock that is never set and that, on Linux, runs on while the machine is suspended.</summary>
    public static TimeSpan SinceBoot() => Read(CLOCK_BOOTTIME);

    /// <summary>The CPU time of the calling thread; on other systems than Linux, the time of a clock that is never set.</summary>
    public static TimeSpan OfThread() => Read(CLOCK_THREAD_CPUTIME_ID);

    private static TimeSpan Read(int clock) => OperatingSystem.IsLinux() && clock_gettime(clock, out TimeSpec now) == 0
        ? TimeSpan.FromSeconds(now.tv_sec) + TimeSpan.FromMicroseconds(now.tv_nsec / 1e3)
        : Stopwatch.GetElapsedTime(0);

    /// <summary><c>struct timespec</c>: both of its fields are as wide as a <c>long</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TimeSpec
    {
        public nint tv_sec;
        public nint tv_nsec;
    }
}
