using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Nginx;

/// <summary>The part of <c>signal.h</c> that is used here.</summary>
internal static partial class SysSignal
{
    public const int SIGTERM = 15;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int kill(int pid, int sig);
}
