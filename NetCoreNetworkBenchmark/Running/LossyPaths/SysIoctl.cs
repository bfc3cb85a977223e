using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Running.LossyPaths;

/// <summary>The part of Linux's <c>sys/ioctl.h</c> that is used here.</summary>
internal static unsafe partial class SysIoctl
{
    [LibraryImport("libc", SetLastError = true)]
    public static partial int ioctl(SafeFileHandle fd, nuint request, void* argument);
}
