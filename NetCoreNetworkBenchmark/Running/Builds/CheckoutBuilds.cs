using System.Security.Cryptography;
using System.Text;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>The folders of the checkout stay as they are.</summary>
internal sealed class CheckoutBuilds(string assembly, BuildCache cache)
{
    public const string ProgramName = "NetCoreNetworkBenchmark";

    // The projects that make the program. The folder and the assembly of each begin with the program's name.
    private static readonly string[] s_parts = [string.Empty, ".Sdk", ".Libraries", ".Workloads"];

    private static readonly string[] s_sources = ["*.cs", "*.csproj", "*.props", "*.targets"];
    private static readonly string[] s_output = ["bin", "obj"];

    public DotnetSdk Sdk { get; init; } = new();

    public static CheckoutBuilds OfThisProgram() => new(typeof(CheckoutBuilds).Assembly.Location, BuildCache.OfUser());

    /// <summary>Includes the sources, which may have been edited since the running program was built.</summary>
    public string HashOf(string purpose)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        IEnumerable<string> assemblies = s_parts.Select(part => Path.Combine(Path.GetDirectoryName(assembly)!, $"{ProgramName}{part}.dll"));
        foreach (string file in (string[])[.. assemblies, Path.ChangeExtension(assembly, ".deps.json"), .. Sources()])
        {
            hash.AppendData(File.Exists(file) ? File.ReadAllBytes(file) : []);
        }

        hash.AppendData(Encoding.UTF8.GetBytes($"{ResultBuilder.HarnessVersion} {Environment.Version} {purpose}"));
        return BuildCache.NameOf(hash.GetHashAndReset());
    }

    /// <param name="buildAsync">Called with the path of the project and a temporary folder. It returns the folder in that one that is kept.</param>
    public Task<string> FindAsync(string purpose, Func<string, string, Task<string>> buildAsync) =>
        cache.FindAsync(HashOf(purpose), temporary => buildAsync(FindProject() ?? throw NoCheckout(), temporary));

    private static BenchmarkException NoCheckout() => BenchmarkException.BadInput(
        "--deploy builds the program again from its checkout, which the installed tool does not have. " +
            "Start the program from a checkout (./build/benchmark.sh).");

    // The sources and the MSBuild files of the program, without what a build writes.
    private IEnumerable<string> Sources()
    {
        if (FindProject() is not { } project)
        {
            return [];
        }

        string folder = Path.GetDirectoryName(project)!;
        string checkout = Path.GetDirectoryName(folder)!;
        return ((string[])[.. s_parts.Select(part => folder + part), Path.Combine(checkout, "build")]).Where(Directory.Exists)
            .SelectMany(part => s_sources.SelectMany(pattern => Directory.EnumerateFiles(part, pattern, SearchOption.AllDirectories)))
            .Where(file => !Path.GetRelativePath(checkout, file).Split(Path.DirectorySeparatorChar).Intersect(s_output).Any())
            .Concat(Directory.EnumerateFiles(checkout, "Directory.*.props"))
            .Order(StringComparer.Ordinal);
    }

    // From bin/Release/net10.0 upwards, or beside another project of the checkout whose output has a copy of the assembly.
    private string? FindProject()
    {
        for (DirectoryInfo? folder = new FileInfo(assembly).Directory; folder is not null; folder = folder.Parent)
        {
            string[] places = [Path.Combine(folder.FullName, $"{ProgramName}.csproj"), Path.Combine(folder.FullName, ProgramName, $"{ProgramName}.csproj")];
            if (places.FirstOrDefault(File.Exists) is { } project)
            {
                return project;
            }
        }

        return null;
    }
}
