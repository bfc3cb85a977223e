namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The part of Linux's <c>signal.h</c> that is used here.</summary>
internal static partial class SysSignal
{
    public const int SIGKILL = 9;
    public const int SIGCONT = 18;
    public const int SIGSTOP = 19;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int kill(int pid, int sig);
}
