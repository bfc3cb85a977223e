using System.Runtime.InteropServices;

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
    public static unsafe partial int epoll_pwait2(int epfd, byte* events, int maxevents, in Timespec timeout, void* sigmask);

    [LibraryImport("libc", SetLastError = true)] public static partial int close(int fd);

    /// <summary><c>struct timespec</c>: both of its fields are as wide as a <c>long</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Timespec
    {
        public nint tv_sec;
        public nint tv_nsec;
    }
}
