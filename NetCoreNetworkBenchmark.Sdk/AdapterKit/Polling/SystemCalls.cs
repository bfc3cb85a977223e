using System.ComponentModel;
using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The part of Linux's <c>sys/epoll.h</c> (<c>close</c> of <c>unistd.h</c> and the codes of <c>errno.h</c> with it) that is used here.</summary>
public static partial class SysEpoll
{
    public const int EPOLL_CLOEXEC = 0x80000;
    public const int EPOLL_CTL_ADD = 1;
    public const int EPOLL_CTL_DEL = 2;
    public const int EPOLL_CTL_MOD = 3;
    public const uint EPOLLIN = 1;
    public const uint EPOLLOUT = 4;
    public const uint EPOLLERR = 8;
    public const uint EPOLLHUP = 0x10;
    public const int EPERM = 1;
    public const int EINTR = 4;
    public const int ENOSYS = 38;

    /// <summary>The offset of <c>data</c> in <c>struct epoll_event</c>: the struct is packed on x86-64 and x86, and aligned elsewhere.</summary>
    public static readonly int DataOffset = RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86 ? 4 : 8;

    /// <summary>The size of <c>struct epoll_event</c> in bytes.</summary>
    public static readonly int EventSize = DataOffset + sizeof(ulong);

    [LibraryImport("libc", SetLastError = true)] public static partial int epoll_create1(int flags);
    [LibraryImport("libc", SetLastError = true)] public static unsafe partial int epoll_ctl(int epfd, int op, int fd, byte* @event);
    [LibraryImport("libc", SetLastError = true)] public static unsafe partial int epoll_wait(int epfd, byte* events, int maxevents, int timeout);

    /// <summary>Requires Linux 5.11 and glibc 2.35.</summary>
    [LibraryImport("libc", SetLastError = true)]
    public static unsafe partial int epoll_pwait2(int epfd, byte* events, int maxevents, in SysTime.TimeSpec timeout, void* sigmask);

    [LibraryImport("libc", SetLastError = true)] public static partial int close(int fd);
}

/// <summary>The part of Linux's <c>sys/eventfd.h</c> that is used here, with <c>read</c> and <c>write</c> of <c>unistd.h</c>.</summary>
public static unsafe partial class SysEventfd
{
    public const int EFD_CLOEXEC = 0x80000;
    public const int EFD_NONBLOCK = 0x800;

    [LibraryImport("libc", SetLastError = true)] public static partial int eventfd(uint initval, int flags);
    [LibraryImport("libc", SetLastError = true)] public static partial nint read(SafeFileHandle fd, void* buf, nuint count);
    [LibraryImport("libc", SetLastError = true)] public static partial nint write(SafeFileHandle fd, void* buf, nuint count);
}

/// <summary>The part of Linux's <c>signal.h</c> that is used here.</summary>
public static partial class SysSignal
{
    public const int SIGKILL = 9;
    public const int SIGTERM = 15;
    public const int SIGCONT = 18;
    public const int SIGSTOP = 19;

    [LibraryImport("libc", SetLastError = true)] public static partial int kill(int pid, int sig);
}

/// <summary>The part of Linux's <c>sys/prctl.h</c> that is used here.</summary>
public static partial class SysPrctl
{
    /// <summary>Sets the signal that the calling process gets when the thread that has started it ends.</summary>
    public const int PR_SET_PDEATHSIG = 1;

    /// <summary>The timer slack by which the kernel may wake the thread late, in nanoseconds (50,000 by default); 0 sets the default.</summary>
    public const int PR_SET_TIMERSLACK = 29;

    [LibraryImport("libc", SetLastError = true)] public static partial int prctl(int option, nuint value);
}

/// <summary>By default, the timers of Windows have a period of 15.6 milliseconds.</summary>
internal static partial class SysTimeApi
{
    /// <summary>The shortest period of the timers that every Windows has, in milliseconds.</summary>
    public const uint FinestPeriod = 1;

    /// <summary>Each call requires one of <see cref="timeEndPeriod"/>.</summary>
    [LibraryImport("winmm")] public static partial uint timeBeginPeriod(uint uPeriod);

    [LibraryImport("winmm")] public static partial uint timeEndPeriod(uint uPeriod);
}

/// <summary>Common handling of the results of system calls.</summary>
public static class SystemCall
{
    /// <summary>Throws a failure of the last call of this thread, a result below 0, as an exception with the system's error message.</summary>
    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }
}
