namespace NetCoreNetworkBenchmark.Running.Machine.Native;

internal static partial class SysUnistd
{
    /// <summary>Returns only if it fails (execve(2)).</summary>
    /// <param name="argv">The arguments, from the name of the program on, and null at the end.</param>
    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int execv(string path, string?[] argv);
}
