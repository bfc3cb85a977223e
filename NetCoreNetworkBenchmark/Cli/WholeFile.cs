using System.Runtime.InteropServices;
using System.Text;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// Writes a text file whole or not at all: into a temporary file beside the place, which is flushed to the disk and then renamed. So not even a
/// power failure leaves half a file.
/// </summary>
internal static partial class WholeFile
{
    /// <summary>Makes the folder of an output option where it is missing, and makes sure that it can be written to.</summary>
    /// <exception cref="BenchmarkException">It cannot.</exception>
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
                $"Option --output: the folder '{folder}' cannot be written to ({exception.Message.TrimEnd('.')}); valid is a folder that exists or can be made.",
                exception);
        }
    }

    /// <summary>Writes a file with line feeds at its lines' ends, also into a folder that is missing. A file that is there stays as it is until the new one is complete.</summary>
    /// <exception cref="BenchmarkException">It could not be written.</exception>
    public static void Write(string path, Action<TextWriter> write)
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        string temporary = TemporaryName(folder);
        try
        {
            Directory.CreateDirectory(folder);
            using (var stream = new FileStream(temporary, FileMode.CreateNew, FileAccess.Write))
            {
                using var writer = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" };
                write(writer);
                writer.Flush();
                stream.Flush(flushToDisk: true);
            }

            File.Move(temporary, path, overwrite: true);
            FlushFolder(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException($"The result could not be written to '{path}': {exception.Message.TrimEnd('.')}.", exception);
        }
        finally
        {
            // Nothing is there any more where all went well.
            if (File.Exists(temporary))
            {
                File.Delete(temporary);
            }
        }
    }

    private static string TemporaryName(string folder) => Path.Combine(folder, $".{Guid.NewGuid():N}.tmp");

    // The new name is on the disk only when its folder is (fsync(2)). .NET opens no folders. Where a file system has no fsync of folders, the file is there all the same.
    private static void FlushFolder(string folder)
    {
        const int ReadOnly = 0;
        if (OperatingSystem.IsLinux() && open(folder, ReadOnly) is >= 0 and var descriptor)
        {
            _ = fsync(descriptor);
            _ = close(descriptor);
        }
    }

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int open(string path, int flags);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int fsync(int descriptor);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int close(int descriptor);
}
