using System.IO.Compression;

namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>A temporary folder of NuGet packages, which is a package source.</summary>
internal sealed class PackageFolder : InTemporaryFolder
{
    public string Path => Folder.FullName;

    /// <summary>Adds a package without any assembly.</summary>
    public void AddEmpty(string id, string version)
    {
        using ZipArchive package = ZipFile.Open(FileOf(id, version), ZipArchiveMode.Create);
        Write(
            package,
            $"{id}.nuspec",
            "<package xmlns=\"http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd\"><metadata>" +
                $"<id>{id}</id><version>{version}</version><authors>test</authors><description>test</description></metadata></package>");
        Write(package, "lib/net10.0/_._", string.Empty);
    }

    /// <summary>Adds a copy of a package under another version. Its signature, which is for the original, is left out.</summary>
    public void AddCopy(string file, string id, string from, string version)
    {
        File.Copy(file, FileOf(id, version));
        using ZipArchive package = ZipFile.Open(FileOf(id, version), ZipArchiveMode.Update);
        package.GetEntry(".signature.p7s")?.Delete();
        ZipArchiveEntry described = package.Entries.Single(entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal));
        string name = described.FullName;
        string text;
        using (var reader = new StreamReader(described.Open()))
        {
            text = reader.ReadToEnd();
        }

        described.Delete();
        Write(package, name, text.Replace($"<version>{from}</version>", $"<version>{version}</version>", StringComparison.Ordinal));
    }

    private static void Write(ZipArchive package, string name, string text)
    {
        using var writer = new StreamWriter(package.CreateEntry(name).Open());
        writer.Write(text);
    }

    private string FileOf(string id, string version) => System.IO.Path.Combine(Path, $"{id}.{version}.nupkg");
}
