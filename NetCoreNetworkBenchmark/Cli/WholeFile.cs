using System.Text;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Writes a text file whole or not at all: into a temporary file beside the place, which is then renamed.</summary>
internal static class WholeFile
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

    /// <summary>Writes a file with line feeds at its lines' ends. One that is there stays as it is until the new one is complete.</summary>
    /// <exception cref="BenchmarkException">It could not be written.</exception>
    public static void Write(string path, Action<TextWriter> write)
    {
        string temporary = TemporaryName(Path.GetDirectoryName(Path.GetFullPath(path))!);
        try
        {
            using (var writer = new StreamWriter(temporary, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" })
            {
                write(writer);
            }

            File.Move(temporary, path, overwrite: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException($"The result could not be written to '{path}': {exception.Message}", exception);
        }
        finally
        {
            // Nothing is there any more where all went well.
            File.Delete(temporary);
        }
    }

    private static string TemporaryName(string folder) => Path.Combine(folder, $".{Guid.NewGuid():N}.tmp");
}
