using System.Formats.Tar;
using System.IO.Compression;
using System.Security.Cryptography;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>All files of the assembly's folder, such as its .deps.json and its packages (tar and gzip).</summary>
/// <param name="Part">The name of its folder in that of the program.</param>
internal sealed record AdapterPackage(string Part, string Sha256, byte[] Content)
{
    // Not the home of a user, if somebody has put the assembly there.
    private const long MaxBytes = 256 << 20;

    public static AdapterPackage From(AdapterAssembly assembly)
    {
        var folder = new DirectoryInfo(Path.GetDirectoryName(assembly.Path)!);
        try
        {
            FileInfo[] files = [.. folder.EnumerateFiles("*", SearchOption.AllDirectories).OrderBy(file => file.FullName, StringComparer.Ordinal)];
            if (files.Sum(file => file.Length) > MaxBytes)
            {
                throw new BenchmarkException(
                    $"--deploy copies the folder of '{assembly.Path}', which has more than {MaxBytes >> 20} MB. " +
                        "Use a folder with what the assembly requires.");
            }

            byte[] content = Pack(folder, files);
            return new AdapterPackage(PartOf(assembly), Convert.ToHexStringLower(SHA256.HashData(content)), content);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException($"--deploy could not read the folder of '{assembly.Path}': {exception.Message}", exception);
        }
    }

    /// <param name="program">The path of the program on the host.</param>
    public static AdapterAssembly Beside(string program, AdapterAssembly assembly) =>
        assembly with { Path = $"{program[..program.LastIndexOf('/')]}/{PartOf(assembly)}/{Path.GetFileName(assembly.Path)}" };

    private static string PartOf(AdapterAssembly assembly) => $"load-{assembly.Sha256}";

    // The same files give the same bytes, so that a host that has them gets nothing.
    private static byte[] Pack(DirectoryInfo folder, FileInfo[] files)
    {
        using var content = new MemoryStream();
        using (var writer = new TarWriter(new GZipStream(content, CompressionLevel.Optimal), TarEntryFormat.Gnu))
        {
            foreach (FileInfo file in files)
            {
                using FileStream data = file.OpenRead();
                string name = Path.GetRelativePath(folder.FullName, file.FullName).Replace(Path.DirectorySeparatorChar, '/');
                writer.WriteEntry(new GnuTarEntry(TarEntryType.RegularFile, name) { DataStream = data, ModificationTime = DateTimeOffset.UnixEpoch });
            }
        }

        return content.ToArray();
    }
}
