using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>The calls of Linux and macOS for files and descriptors that .NET does not offer.</summary>
internal static partial class SysFile
{
    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int open(string path, int flags);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int close(int descriptor);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int fsync(int descriptor);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int fcntl(int descriptor, int command);

    [LibraryImport("libc", SetLastError = true)]
    public static partial nint write(int descriptor, in byte buffer, nint length);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int poll(ref PollEntry entries, nuint count, int milliseconds);

    /// <summary>struct pollfd.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PollEntry
    {
        public int Descriptor;
        public short Events;
        public short Found;
    }
}
