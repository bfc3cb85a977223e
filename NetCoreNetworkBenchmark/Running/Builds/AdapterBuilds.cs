using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>The built-in adapters come with their sources: the tool needs no checkout, and constants of a package are compiled into its adapter.</summary>
internal sealed partial class AdapterBuilds(BuildCache cache)
{
    private const string Sources = "adapters/";
    private const string Folder = "adapter";

    public DotnetSdk Sdk { get; init; } = new();
    public Action<string>? Report { get; init; }

    public static RunPlan Use(RunPlan plan, AdapterAssembly? adapter) =>
        adapter is null ? plan : plan with { Assemblies = [.. plan.Assemblies ?? [], adapter] };

    public static string AssemblyIn(string folder, string package) => Path.Combine(folder, $"{package}.dll");

    /// <param name="path">The file of the package, or the folder with the library's assembly; null for a package of the package sources.</param>
    /// <exception cref="BenchmarkException">No package source has the version, or the adapter does not compile with it.</exception>
    public async Task<AdapterAssembly> FindAsync(string package, string version, CancellationToken cancellationToken, string? path = null)
    {
        string folder = await cache.FindAsync(HashOf(package, version, path), BuildAsync);
        return LibraryOptions.Describe(Path.Combine(folder, $"{NameOf(package)}.dll")) with { Replaces = true };

        async Task<string> BuildAsync(string temporary)
        {
            string sources = Directory.CreateDirectory(Path.Combine(temporary, Folder)).FullName;
            LibraryReference reference = path is null ? LibraryReference.ToPackage(package, version)
                : Directory.Exists(path) ? LibraryReference.ToAssembly(path, package)
                : await LibraryReference.ToFileAsync(path, package, version, Path.Combine(temporary, "source"), cancellationToken);
            string project = await WriteAsync(package, version, reference, sources, cancellationToken);
            Report?.Invoke($"Building the adapter with {package} {version}, once.");
            string what = $"The adapter of {package} {version}";
            CommandRun run = await Sdk.RunAsync("build", what, project, temporary, [], cancellationToken);
            return run.ExitCode == 0 ? Path.Combine(temporary, "built", "bin", NameOf(package), "release") : throw Failure(package, version, run);
        }
    }

    private static string NameOf(string package) => $"{CheckoutBuilds.ProgramName}.{package}";

    // The sources of packages may have changed, but a version of a package is never another one.
    private static string HashOf(string package, string version, string? path)
    {
        byte[] program = Encoding.UTF8.GetBytes($"{Environment.Version} {package} {version}");
        string[] library = path is null ? [] : Directory.Exists(path) ? [.. Directory.GetFiles(path).Order(StringComparer.Ordinal)] : [path];
        Assembly[] assemblies = [typeof(AdapterBuilds).Assembly, BuiltIn.Libraries, typeof(INetworkBenchmark).Assembly];
        IEnumerable<string> files = [.. assemblies.Select(assembly => assembly.Location), .. library];
        IEnumerable<byte> hashes = files.SelectMany(file => SHA256.HashData(File.ReadAllBytes(file)));
        return BuildCache.NameOf(SHA256.HashData([.. program, .. hashes]));
    }

    // Files of folders above it, such as Directory.Build.props, are not for it. The configuration of NuGet is that of the current folder.
    private static async Task<string> WriteAsync(
        string package, string version, LibraryReference reference, string folder, CancellationToken cancellationToken)
    {
        foreach (string name in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
        {
            await File.WriteAllTextAsync(Path.Combine(folder, name), "<Project />", cancellationToken);
        }

        string[] parts = [Sources, $"{Sources}{package}/"];
        foreach (string name in BuiltIn.Libraries.GetManifestResourceNames().Where(name => parts.Contains(name[..(name.LastIndexOf('/') + 1)])))
        {
            using Stream resource = BuiltIn.Libraries.GetManifestResourceStream(name)!;
            await using FileStream copy = File.Create(Path.Combine(folder, name[(name.LastIndexOf('/') + 1)..]));
            await resource.CopyToAsync(copy, cancellationToken);
        }

        string constant = $"{package.ToUpperInvariant().Replace('-', '_').Replace('.', '_')}_{version.Split('.')[0]}";
        string project = Path.Combine(folder, $"{NameOf(package)}.csproj");
        await File.WriteAllTextAsync(
            project,
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net{Environment.Version.ToString(2)}</TargetFramework>
                <LangVersion>latest</LangVersion>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
                <EnableDynamicLoading>true</EnableDynamicLoading>
                <DefineConstants>$(DefineConstants);{constant}</DefineConstants>
                {reference.Properties}
                <RestoreRootConfigDirectory>{LibraryReference.Escape(Directory.GetCurrentDirectory())}</RestoreRootConfigDirectory>
              </PropertyGroup>
              <ItemGroup>
                {reference.Items}
                <Reference Include="{LibraryReference.Escape(typeof(INetworkBenchmark).Assembly.Location)}" Private="false" />
              </ItemGroup>
            </Project>
            """,
            cancellationToken);
        return project;
    }

    private static BenchmarkException Failure(string package, string version, CommandRun run) =>
        MissingPackage().Match(run.Output) is { Success: true } missing
            ? BenchmarkException.BadInput(Missing($"{package} {version}", missing.Groups[1].Value, SourcesIn(run.Output)))
            : new BenchmarkException(
                $"The adapter could not be built with {package} {version}: " +
                    $"{(FirstError().Match(run.Output) is { Success: true } error ? error.Groups[1].Value : run.Reason)}.");

    private static string Missing(string package, string code, IReadOnlyList<string> sources) => sources.Count == 0
        ? $"Package {package} could not be restored ({code}). 'dotnet nuget list source' lists the package sources."
        : $"Package {package} is in none of the package sources ({code}): {string.Join(", ", sources)}. " +
            "Use a version that one of them has, or name a folder with the package: RestoreAdditionalProjectSources=DIR in the environment.";

    // A package that a source does not have at all has no nearest version, and NuGet lists the sources in one line.
    private static IReadOnlyList<string> SourcesIn(string output) =>
    [
        .. (from found in FoundVersions().Matches(output)
            select found.Groups[2] is { Success: true } nearest ? $"{found.Groups[1].Value} (nearest version: {nearest.Value})" : found.Groups[1].Value)
            .Concat(ListedSources().Matches(output).SelectMany(listed => listed.Groups[1].Value.Split(',', StringSplitOptions.TrimEntries)))
            .Distinct(),
    ];

    // The sentences of NuGet, each with the project after it in brackets.
    [GeneratedRegex(@"Found \d+ version\(s\) in ([^\[\r\n]+?) *(?:\[ Nearest version: (\S+) \] *)?(?:\[|\r?$)", RegexOptions.Multiline)]
    private static partial Regex FoundVersions();

    [GeneratedRegex(@"source\(s\): ([^\[\r\n]+?)\.? *(?:\[|\r?$)", RegexOptions.Multiline)]
    private static partial Regex ListedSources();

    // NU1101: no source has the package. NU1102: none has the version.
    [GeneratedRegex(@"error (NU110[12]):")]
    private static partial Regex MissingPackage();

    [GeneratedRegex(@": error (\w+: .+?)\.? \[")]
    private static partial Regex FirstError();
}
