using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Outcome;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>
/// Further builds of this program, made with the .NET SDK from the checkout that the running one was built from. They are kept in the user's cache, so that the
/// same build is not made twice. The folders of the checkout stay as they are.
/// </summary>
internal sealed class CheckoutBuilds(string assembly, string cache)
{
    public const string ProgramName = "NetCoreNetworkBenchmark";

    private const int HashDigits = 32;
    private static readonly string[] s_sources = ["*.cs", "*.csproj", "*.props", "*.targets"];
    private static readonly string[] s_output = ["bin", "obj"];
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    public string Sdk { get; init; } = "dotnet";

    public static CheckoutBuilds OfThisProgram() => new(typeof(CheckoutBuilds).Assembly.Location, UserCache());

    /// <summary>
    /// Identifies a build by the running program and by the sources, which may have been edited since: the program is then built again for every purpose.
    /// </summary>
    public string HashOf(string purpose)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        string library = Path.Combine(Path.GetDirectoryName(assembly)!, $"{ProgramName}.Sdk.dll");
        foreach (string file in (string[])[assembly, library, Path.ChangeExtension(assembly, ".deps.json"), .. Sources()])
        {
            hash.AppendData(File.Exists(file) ? File.ReadAllBytes(file) : []);
        }

        hash.AppendData(Encoding.UTF8.GetBytes($"{ResultBuilder.HarnessVersion} {Environment.Version} {purpose}"));
        return Convert.ToHexStringLower(hash.GetHashAndReset())[..HashDigits];
    }

    /// <summary>Finds a build in the cache, or makes it.</summary>
    /// <param name="purpose">What distinguishes the build from others of the same program.</param>
    /// <param name="buildAsync">Called with the path of the project and a temporary folder. It returns the folder in that one that is kept.</param>
    /// <returns>The folder of the build.</returns>
    public async Task<string> FindAsync(string purpose, Func<string, string, Task<string>> buildAsync)
    {
        string build = Path.Combine(cache, HashOf(purpose));
        if (Directory.Exists(build))
        {
            return build;
        }

        // Build in a temporary folder and rename it when complete: another process may build the same, and either may be killed.
        string project = FindProject() ?? throw BenchmarkException.BadInput(
            "--deploy and --versions build the program again from its checkout, which the installed tool does not have. " +
                "Start the program from a checkout (./build/benchmark.sh).");
        string temporary = $"{build}.{Guid.NewGuid():N}";
        try
        {
            Directory.CreateDirectory(temporary);
            Rename(await buildAsync(project, temporary).ConfigureAwait(false), build);
            return build;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException(
                $"The program could not be kept in '{cache}' ({FileError.ReasonOf(exception)}). Set XDG_CACHE_HOME to another folder.", exception);
        }
        finally
        {
            if (Directory.Exists(temporary))
            {
                Directory.Delete(temporary, recursive: true);
            }
        }
    }

    /// <summary>Runs a command of the .NET SDK with its output in a temporary folder.</summary>
    public async Task<CommandRun> RunSdkAsync(
        string command, string goal, string project, string temporary, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        // The build has audited the packages, and a machine without a way to the registry can build with the packages that it has. Without ReadyToRun
        // code of its packages, the program starts more slowly; measured code is unaffected.
        var start = new ProcessStartInfo(
            Sdk,
            [
                command, project, "--configuration", "Release", "--artifacts-path", Path.Combine(temporary, "built"), "--nologo", "--verbosity", "quiet",
                "--disable-build-servers", "-clp:NoSummary", "-p:RunAnalyzers=false", "-p:NuGetAudit=false", "-p:CompilesAhead=false",
                .. arguments,
            ])
        {
            WorkingDirectory = Path.GetDirectoryName(project)!,
            Environment = { ["DOTNET_CLI_UI_LANGUAGE"] = "en" },
        };
        try
        {
            return await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken).ConfigureAwait(false);
        }
        catch (BenchmarkException exception)
        {
            throw new BenchmarkException(
                $"The program is built again with the .NET SDK, and {exception.Message}; install the .NET 10 SDK: https://dotnet.microsoft.com/download.",
                exception);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException($"The program could not be {goal}: {exception.Message}.", exception);
        }
    }

    private static string UserCache()
    {
        string? chosen = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");
        string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        return Path.Combine(Path.IsPathRooted(chosen) ? chosen : Path.Combine(home, ".cache"), ProgramName);
    }

    private static void Rename(string complete, string build)
    {
        try
        {
            Directory.Move(complete, build);
        }
        catch (IOException) when (Directory.Exists(build))
        {
            // Another process was faster, with the same build.
            return;
        }
    }

    // The sources and the MSBuild files of the program, without what a build writes.
    private IEnumerable<string> Sources()
    {
        if (FindProject() is not { } project)
        {
            return [];
        }

        string folder = Path.GetDirectoryName(project)!;
        string checkout = Path.GetDirectoryName(folder)!;
        return ((string[])[folder, $"{folder}.Sdk", Path.Combine(checkout, "build")]).Where(Directory.Exists)
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

internal sealed partial class VersionBuilds(CheckoutBuilds builds)
{
    public Action<string>? Report { get; init; }

    public async Task<VersionBuild> FindAsync(string package, string version, CancellationToken cancellationToken)
    {
        string folder = await builds.FindAsync($"{package} {version}", BuildAsync).ConfigureAwait(false);
        return new VersionBuild(version, Path.Combine(folder, $"{CheckoutBuilds.ProgramName}.dll"));

        async Task<string> BuildAsync(string project, string temporary)
        {
            string[] arguments = [$"-p:OptionalPackageId={package}", $"-p:OptionalPackageVersion={version}"];
            Report?.Invoke($"Building with {package} {version}. The build is kept for later runs.");
            CommandRun run = await builds.RunSdkAsync("build", $"built with {package} {version}", project, temporary, arguments, cancellationToken)
                .ConfigureAwait(false);
            return run.ExitCode == 0
                ? Path.Combine(temporary, "built", "bin", CheckoutBuilds.ProgramName, "release")
                : throw Failure(package, version, run);
        }
    }

    private static BenchmarkException Failure(string package, string version, CommandRun run) =>
        MissingPackage().Match(run.Output) is { Success: true } missing
            ? BenchmarkException.BadInput(Missing($"{package} {version}", missing.Groups[1].Value, SourcesIn(run.Output)))
            : new BenchmarkException(
                $"The program could not be built with {package} {version}: " +
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

    // The sentences of NuGet, with which build/OptionalPackages.targets ends its own.
    [GeneratedRegex(@"Found \d+ version\(s\) in ([^|\[]+?) *(?:\[ Nearest version: (\S+) \] *)?\|")]
    private static partial Regex FoundVersions();

    [GeneratedRegex(@"source\(s\): ([^|]+?)\.? *\|")]
    private static partial Regex ListedSources();

    // The sentence of build/OptionalPackages.targets.
    [GeneratedRegex(@"could not be restored \(([^)]+)\)")]
    private static partial Regex MissingPackage();

    [GeneratedRegex(@": error (\w+: .+?)\.? \[")]
    private static partial Regex FirstError();
}

internal sealed record VersionBuild(string Version, string Assembly);
