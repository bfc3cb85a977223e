using System.IO.Compression;
using System.Reflection;
using System.Xml;
using System.Xml.Linq;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Cli.Checks;

internal abstract record VersionSource(string Text)
{
    private const string Program = $"{CheckoutBuilds.ProgramName}.dll";

    /// <summary>The library whose package it is; null if the user chooses the library.</summary>
    public virtual string? Library => null;

    public abstract Task<ComparedVersion> FindAsync(AdapterBuilds builds, CancellationToken cancellationToken);

    public static Func<string, VersionSource> Commits(string library, string command, Catalog catalog, Action<string> report)
    {
        string package = PackageIn(library, catalog);
        var builds = new CommitBuilds(command, package, Directory.GetCurrentDirectory(), BuildCache.OfUser()) { Report = report };
        return text => new CommitVersion(text, package, builds);
    }

    public static VersionSource Read(string text, Catalog catalog)
    {
        string[] programs = [text, Path.Combine(text, Program), Path.Combine(text, CheckoutBuilds.ProgramName, "bin", "Release", "net10.0", Program)];
        if (programs.FirstOrDefault(path => File.Exists(path) && Path.GetFileName(path) == Program) is { } program)
        {
            return new BuildOfProgram(text, Path.GetFullPath(program));
        }

        if (File.Exists(text) && Path.GetExtension(text).Equals(".nupkg", StringComparison.OrdinalIgnoreCase))
        {
            (string id, string version) = ReadPackage(text);
            return new PackageVersion(text, PackageIn(id, catalog), version, Path.GetFullPath(text));
        }

        if (catalog.KnownPackages.Where(package => File.Exists(AdapterBuilds.AssemblyIn(text, package))).ToArray() is [var library])
        {
            return new PackageVersion(text, PackageIn(library, catalog), ReadVersion(AdapterBuilds.AssemblyIn(text, library)), Path.GetFullPath(text));
        }

        return File.Exists(text) && Path.GetExtension(text).Equals(".dll", StringComparison.OrdinalIgnoreCase) ? new Adapter(text)
            : text.Split('@') is [{ Length: > 0 } package, var number] && VersionRequest.IsVersion(number)
                ? new PackageVersion(text, PackageIn(package, catalog), number, null)
            : throw BenchmarkException.BadInput(
                $"'{text}' is nothing to compare. Use PACKAGE@VERSION, such as LiteNetLib@2.1.3, a .nupkg file, a folder with the assembly of one library, " +
                    $"the assembly of an adapter, or a folder with {Program} or with a checkout that was built (dotnet build -c Release).");
    }

    public VersionSource InThisProgram(Catalog catalog) => this switch
    {
        PackageVersion package when catalog.VersionsOfPackages[package.Package] is var version =>
            new PackageVersion($"{package.Package}@{version}", package.Package, version, null),
        Adapter => throw BenchmarkException.BadInput($"{RegressOptions.CommandName} requires NEW: another build of the adapter '{Text}'."),
        _ => new BuildOfProgram(typeof(VersionSource).Assembly.Location, null),
    };

    public bool IsLike(VersionSource other) => GetType() == other.GetType() && Library == other.Library;

    private static string PackageIn(string name, Catalog catalog)
    {
        string known = OptionValues.Choice(RegressOptions.CommandName, name, catalog.KnownPackages);
        PlanCheck.RequirePackage(catalog, known, RegressOptions.CommandName);
        return known;
    }

    private static (string Id, string Version) ReadPackage(string file)
    {
        try
        {
            using ZipArchive archive = ZipFile.OpenRead(file);
            using Stream stream = LibraryReference.DescriptionIn(archive).Open();
            XElement[] facts = [.. XDocument.Load(stream).Root!.Elements().Single(element => element.Name.LocalName == "metadata").Elements()];
            string Of(string name) => facts.Single(fact => fact.Name.LocalName == name).Value.Trim();
            return (Of("id"), Of("version"));
        }
        catch (Exception exception)
            when (exception is InvalidDataException or InvalidOperationException or XmlException or IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput($"'{file}' is not a NuGet package: {exception.Message.TrimEnd('.')}.", exception);
        }
    }

    // A package is often built without a version of its own, but an assembly has the one of the library's project.
    private static string ReadVersion(string assembly)
    {
        try
        {
            return AssemblyName.GetAssemblyName(assembly).Version!.ToString(3);
        }
        catch (Exception exception) when (exception is BadImageFormatException or IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput($"'{assembly}' is not a .NET assembly: {exception.Message.TrimEnd('.')}.", exception);
        }
    }

    private sealed record BuildOfProgram(string Text, string? Assembly) : VersionSource(Text)
    {
        public override Task<ComparedVersion> FindAsync(AdapterBuilds builds, CancellationToken cancellationToken) =>
            Task.FromResult(new ComparedVersion(Assembly ?? Text, Build: Assembly));
    }

    private sealed record Adapter(string Text) : VersionSource(Text)
    {
        public override Task<ComparedVersion> FindAsync(AdapterBuilds builds, CancellationToken cancellationToken) =>
            Task.FromResult(new ComparedVersion(Text, Adapter: LibraryOptions.Describe(Text) with { Replaces = true }));
    }

    private sealed record CommitVersion(string Text, string Package, CommitBuilds Builds) : VersionSource(Text)
    {
        public override string Library => Package;

        public override async Task<ComparedVersion> FindAsync(AdapterBuilds builds, CancellationToken cancellationToken)
        {
            string path = await Builds.FindAsync(Text, cancellationToken).ConfigureAwait(false);
            (string id, string version) = Directory.Exists(path) ? (Package, ReadVersion(AdapterBuilds.AssemblyIn(path, Package))) : ReadPackage(path);
            return id.Equals(Package, StringComparison.OrdinalIgnoreCase)
                ? new ComparedVersion(
                    $"{Package} {version} ({Text})", Adapter: await builds.FindAsync(Package, version, cancellationToken, path).ConfigureAwait(false))
                : throw BenchmarkException.BadInput($"The package of {Text} is {id} instead of {Package}. Correct --build, or -l.");
        }
    }

    /// <param name="File">The file of the package, or the folder with the library's assembly; null for a package of the package sources.</param>
    private sealed record PackageVersion(string Text, string Package, string Version, string? File) : VersionSource(Text)
    {
        public override string Library => Package;

        public override async Task<ComparedVersion> FindAsync(AdapterBuilds builds, CancellationToken cancellationToken) => new(
            $"{Package} {Version}{(File is null ? string.Empty : $" ({File})")}",
            Adapter: await builds.FindAsync(Package, Version, cancellationToken, File).ConfigureAwait(false));
    }
}
