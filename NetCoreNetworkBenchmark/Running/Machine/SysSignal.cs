namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The parts of Linux's <c>signal.h</c> and <c>sys/prctl.h</c> that are used here.</summary>
internal static partial class SysSignal
{
    public const int SIGKILL = 9;
    public const int SIGCONT = 18;
    public const int SIGSTOP = 19;

    /// <summary>Sets the signal that the calling process gets when the thread that has started it ends.</summary>
    public const int PR_SET_PDEATHSIG = 1;

    [LibraryImport("libc", SetLastError = true)]
    public static partial int kill(int pid, int sig);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int prctl(int option, nuint arg2, nuint arg3, nuint arg4, nuint arg5);
}
