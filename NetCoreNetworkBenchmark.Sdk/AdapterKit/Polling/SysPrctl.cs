using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The part of Linux's <c>sys/prctl.h</c> that is used here.</summary>
public static partial class SysPrctl
{
    /// <summary>The timer slack by which the kernel may wake the thread late, in nanoseconds (50,000 by default); 0 sets the default.</summary>
    public const int PR_SET_TIMERSLACK = 29;

    [LibraryImport("libc", SetLastError = true)] public static partial int prctl(int option, nuint value);
}
