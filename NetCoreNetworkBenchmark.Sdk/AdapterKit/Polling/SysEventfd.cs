using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The part of Linux's <c>sys/eventfd.h</c> that is used here, with <c>read</c> and <c>write</c> of <c>unistd.h</c>.</summary>
public static unsafe partial class SysEventfd
{
    public const int EFD_CLOEXEC = 0x80000;
    public const int EFD_NONBLOCK = 0x800;

    [LibraryImport("libc", SetLastError = true)] public static partial int eventfd(uint initval, int flags);
    [LibraryImport("libc", SetLastError = true)] public static partial nint read(SafeFileHandle fd, void* buf, nuint count);
    [LibraryImport("libc", SetLastError = true)] public static partial nint write(SafeFileHandle fd, void* buf, nuint count);
}
