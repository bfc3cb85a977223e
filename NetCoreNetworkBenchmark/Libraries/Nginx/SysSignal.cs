using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Libraries.Nginx;

internal static partial class SysSignal
{
    public const int SIGTERM = 15;

    [LibraryImport("libc", SetLastError = true)] public static partial int kill(int pid, int sig);
}
