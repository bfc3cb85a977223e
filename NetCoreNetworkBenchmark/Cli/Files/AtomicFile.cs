using System.Text;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>Writes to a temporary file in the same folder, flushes and renames it, so that even a power failure leaves no half file.</summary>
internal static class AtomicFile
{
    public static void RequireFolder(string folder)
    {
        try
        {
            Directory.CreateDirectory(folder);
            string trial = TemporaryName(folder);
            File.WriteAllText(trial, string.Empty);
            File.Delete(trial);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw BenchmarkException.BadInput(
                $"--output: the folder '{folder}' cannot be written to ({FileError.ReasonOf(exception)}). Use another folder.", exception);
        }
    }

    /// <summary>Line ends are line feeds. An existing file keeps its permissions, and a link stays: its target is written.</summary>
    public static void Write(string path, Action<TextWriter> write)
    {
        string? temporary = null;
        try
        {
            string target = (new FileInfo(path) is { LinkTarget: not null } link ? link.ResolveLinkTarget(returnFinalTarget: true) : null)?.FullName
                ?? Path.GetFullPath(path);
            string folder = Path.GetDirectoryName(target)!;
            Directory.CreateDirectory(folder);
            temporary = TemporaryName(folder);
            using (var stream = new FileStream(temporary, FileMode.CreateNew, FileAccess.Write))
            {
                using var writer = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" };
                write(writer);
                writer.Flush();
                stream.Flush(flushToDisk: true);
            }

            if (!OperatingSystem.IsWindows() && File.Exists(target))
            {
                File.SetUnixFileMode(temporary, File.GetUnixFileMode(target));
            }

            File.Move(temporary, target, overwrite: true);
            FlushFolder(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException)
        {
            // .NET calls EFBIG an argument that is out of range.
            string reason = exception is ArgumentOutOfRangeException ? "File too large" : FileError.ReasonOf(exception);
            throw new BenchmarkException($"The result could not be written to '{path}': {reason}.", exception);
        }
        finally
        {
            if (File.Exists(temporary))
            {
                File.Delete(temporary);
            }
        }
    }

    private static string TemporaryName(string folder) => Path.Combine(folder, $".{Guid.NewGuid():N}.tmp");

    // The new name is on the disk only when its folder is (fsync(2)). .NET cannot open folders. Without fsync of folders, the file still exists.
    private static void FlushFolder(string folder)
    {
        const int ReadOnly = 0;
        if (OperatingSystem.IsLinux() && SysFile.open(folder, ReadOnly) is >= 0 and var descriptor)
        {
            _ = SysFile.fsync(descriptor);
            _ = SysFile.close(descriptor);
        }
    }
}

internal static partial class SysFile
{
    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int open(string path, int flags);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int close(int descriptor);

    [LibraryImport("libc", SetLastError = true)]
    public static partial int dup2(int descriptor, int target);

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
