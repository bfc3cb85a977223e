using System.IO.Compression;
using System.Reflection;
using System.Xml;
using System.Xml.Linq;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>One of the two versions that <c>regress</c> compares: of a package, of an adapter, or of this program.</summary>
/// <param name="Text">What the user wrote.</param>
/// <param name="Library">The library whose package it is; null if the user chooses the library.</param>
internal sealed record VersionSource(string Text, string? Library, Func<AdapterBuilds, CancellationToken, Task<ComparedVersion>> FindAsync)
{
    private const string Program = $"{CheckoutBuilds.ProgramName}.dll";

    private bool IsAdapter { get; init; }

    public static Func<string, VersionSource> Commits(string library, string command, Catalog catalog, Action<string> report)
    {
        string package = PackageIn(library, catalog);
        var commits = new CommitBuilds(command, package, Directory.GetCurrentDirectory(), BuildCache.OfUser()) { Report = report };
        return text => new VersionSource(text, package, (builds, token) => FindCommitAsync(text, package, commits, builds, token));
    }

    public static VersionSource Read(string text, Catalog catalog)
    {
        string[] programs = [text, Path.Combine(text, Program), Path.Combine(text, CheckoutBuilds.ProgramName, "bin", "Release", "net10.0", Program)];
        if (programs.FirstOrDefault(path => File.Exists(path) && Path.GetFileName(path) == Program) is { } program)
        {
            return OfProgram(text, Path.GetFullPath(program));
        }

        if (File.Exists(text) && Path.GetExtension(text).Equals(".nupkg", StringComparison.OrdinalIgnoreCase))
        {
            (string id, string version) = ReadPackage(text);
            return OfPackage(text, PackageIn(id, catalog), version, Path.GetFullPath(text));
        }

        if (catalog.KnownPackages.Where(package => File.Exists(AdapterBuilds.AssemblyIn(text, package))).ToArray() is [var library])
        {
            return OfPackage(text, PackageIn(library, catalog), ReadVersion(AdapterBuilds.AssemblyIn(text, library)), Path.GetFullPath(text));
        }

        return File.Exists(text) && Path.GetExtension(text).Equals(".dll", StringComparison.OrdinalIgnoreCase) ? OfAdapter(text)
            : text.Split('@') is [{ Length: > 0 } package, var number] && VersionRequest.IsVersion(number)
                ? OfPackage(text, PackageIn(package, catalog), number, null)
            : throw BenchmarkException.BadInput(
                $"'{text}' is nothing to compare. Use PACKAGE@VERSION, such as LiteNetLib@2.1.3, a .nupkg file, a folder with the assembly of one library, " +
                    $"the assembly of an adapter, or a folder with {Program} or with a checkout that was built (dotnet build -c Release).");
    }

    public VersionSource InThisProgram(Catalog catalog) =>
        Library is not null ? OfPackage($"{Library}@{catalog.VersionsOfPackages[Library]}", Library, catalog.VersionsOfPackages[Library], null)
        : IsAdapter ? throw BenchmarkException.BadInput($"{RegressOptions.CommandName} requires NEW: another build of the adapter '{Text}'.")
        : OfProgram(typeof(VersionSource).Assembly.Location, null);

    public bool IsLike(VersionSource other) => (IsAdapter, Library) == (other.IsAdapter, other.Library);

    private static VersionSource OfProgram(string text, string? assembly) =>
        new(text, null, (_, _) => Task.FromResult(new ComparedVersion(assembly ?? text, Build: assembly)));

    private static VersionSource OfAdapter(string text) =>
        new(text, null, (_, _) => Task.FromResult(new ComparedVersion(text, Adapter: LibraryOptions.Describe(text) with { Replaces = true })))
        {
            IsAdapter = true,
        };

    /// <param name="file">The file of the package, or the folder with the library's assembly; null for a package of the package sources.</param>
    private static VersionSource OfPackage(string text, string package, string version, string? file) =>
        new(text, package, async (builds, token) => new ComparedVersion(
            $"{package} {version}{(file is null ? string.Empty : $" ({file})")}",
            Adapter: await builds.FindAsync(package, version, token, file)));

    private static async Task<ComparedVersion> FindCommitAsync(
        string commit, string package, CommitBuilds commits, AdapterBuilds builds, CancellationToken cancellationToken)
    {
        string path = await commits.FindAsync(commit, cancellationToken);
        (string id, string version) = Directory.Exists(path) ? (package, ReadVersion(AdapterBuilds.AssemblyIn(path, package))) : ReadPackage(path);
        return id.Equals(package, StringComparison.OrdinalIgnoreCase)
            ? new ComparedVersion(
                $"{package} {version} ({commit})", Adapter: await builds.FindAsync(package, version, cancellationToken, path))
            : throw BenchmarkException.BadInput($"The package of {commit} is {id} instead of {package}. Correct --build, or -l.");
    }

    private static string PackageIn(string name, Catalog catalog)
    {
        string package = OptionValues.Choice(RegressOptions.CommandName, name, catalog.KnownPackages);
        PlanCheck.RequirePackage(catalog, package, RegressOptions.CommandName);
        return package;
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
}
