using System.IO.Compression;
using System.Security;
using System.Security.Cryptography;
using System.Xml.Linq;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>How the project of an adapter refers to its library, as text for MSBuild.</summary>
internal sealed record LibraryReference(string Properties, string Items)
{
    public static LibraryReference ToPackage(string package, string version) =>
        new(string.Empty, $"""<PackageReference Include="{package}" Version="[{version}]" />""");

    /// <summary>Refers to the library's assembly in a folder. The folder's other assemblies and native libraries are copied beside the adapter.</summary>
    public static LibraryReference ToAssembly(string folder, string package)
    {
        string assembly = Escape(AdapterBuilds.AssemblyIn(folder, package));
        string others = string.Join(';', ((string[])["*.dll", "*.so", "*.dylib"]).Select(pattern => Escape(Path.Combine(folder, pattern))));
        return new LibraryReference(
            string.Empty,
            $"""<Reference Include="{assembly}" /><None Include="{others}" Exclude="{assembly}" CopyToOutputDirectory="PreserveNewest" />""");
    }

    /// <summary>Refers to the file of a package. NuGet takes a version from any of its sources, so a copy has a version that no other package has.</summary>
    /// <param name="source">The folder for the copy, which is not kept in NuGet's cache.</param>
    public static async Task<LibraryReference> ToFileAsync(
        string file, string package, string version, string source, CancellationToken cancellationToken)
    {
        string content = BuildCache.NameOf(SHA256.HashData(await File.ReadAllBytesAsync(file, cancellationToken)));
        string own = $"{version}{(version.Contains('-', StringComparison.Ordinal) ? '.' : '-')}file{content}";
        string copy = Path.Combine(Directory.CreateDirectory(source).FullName, $"{package}.{own}.nupkg");
        File.Copy(file, copy);
        using ZipArchive archive = ZipFile.Open(copy, ZipArchiveMode.Update);
        archive.GetEntry(".signature.p7s")?.Delete();
        using Stream stream = DescriptionIn(archive).Open();
        XDocument document = await XDocument.LoadAsync(stream, System.Xml.Linq.LoadOptions.None, cancellationToken);
        document.Descendants().First(element => element.Name.LocalName == "version").Value = own;
        stream.SetLength(0);
        await document.SaveAsync(stream, SaveOptions.None, cancellationToken);
        return ToPackage(package, own) with
        {
            Properties = $"<RestoreAdditionalProjectSources>$(RestoreAdditionalProjectSources);{Escape(source)}</RestoreAdditionalProjectSources>" +
                $"<RestorePackagesPath>{Escape(Path.Combine(source, "packages"))}</RestorePackagesPath>",
        };
    }

    /// <summary>Returns the entry of a package that has its name and version.</summary>
    /// <exception cref="InvalidOperationException">The archive has none, or several.</exception>
    public static ZipArchiveEntry DescriptionIn(ZipArchive package) =>
        package.Entries.Single(entry => entry.FullName == entry.Name && entry.Name.EndsWith(".nuspec", StringComparison.Ordinal));

    public static string Escape(string path) => SecurityElement.Escape(path);
}
