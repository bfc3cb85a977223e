using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Machine;
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
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    public string Sdk { get; init; } = "dotnet";

    public static CheckoutBuilds OfThisProgram() => new(typeof(CheckoutBuilds).Assembly.Location, UserCache());

    public string HashOf(string purpose)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        string library = Path.Combine(Path.GetDirectoryName(assembly)!, $"{ProgramName}.Sdk.dll");
        foreach (string file in (string[])[assembly, library, Path.ChangeExtension(assembly, ".deps.json")])
        {
            hash.AppendData(File.Exists(file) ? File.ReadAllBytes(file) : []);
        }

        hash.AppendData(Encoding.UTF8.GetBytes($"{ResultBuilder.HarnessVersion} {Environment.Version} {purpose}"));
        return Convert.ToHexStringLower(hash.GetHashAndReset())[..HashDigits];
    }

    /// <param name="makeAsync">Makes the build: called with the path of the project and with a folder to work in. It returns the folder that is kept.</param>
    public async Task<string> FindAsync(string purpose, Func<string, string, Task<string>> makeAsync)
    {
        string kept = Path.Combine(cache, HashOf(purpose));
        if (Directory.Exists(kept))
        {
            return kept;
        }

        // Complete, and only then under its name: two processes may make it at the same time, and either may be ended.
        string project = FindProject();
        string work = $"{kept}.{Guid.NewGuid():N}";
        try
        {
            Directory.CreateDirectory(work);
            Keep(await makeAsync(project, work).ConfigureAwait(false), kept);
            return kept;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException(
                $"The program could not be kept in '{cache}' ({exception.Message.TrimEnd('.')}). Set XDG_CACHE_HOME to another folder.", exception);
        }
        finally
        {
            if (Directory.Exists(work))
            {
                Directory.Delete(work, recursive: true);
            }
        }
    }

    public async Task<CommandRun> RunSdkAsync(
        string command, string goal, string project, string work, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        // The build has audited the packages, and a machine without a way to the registry can build with the packages that it has. The processes of such
        // a build read no command line, so nothing of it needs to be compiled ahead.
        var start = new ProcessStartInfo(
            Sdk,
            [
                command, project, "--configuration", "Release", "--artifacts-path", Path.Combine(work, "built"), "--nologo", "--verbosity", "quiet",
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

    private static void Keep(string complete, string kept)
    {
        try
        {
            Directory.Move(complete, kept);
        }
        catch (IOException) when (Directory.Exists(kept))
        {
            // Another process was faster, with the same build.
            return;
        }
    }

    // From bin/Release/net10.0 upwards, or beside another project of the checkout whose output has a copy of the assembly.
    private string FindProject()
    {
        for (DirectoryInfo? folder = new FileInfo(assembly).Directory; folder is not null; folder = folder.Parent)
        {
            string[] places = [Path.Combine(folder.FullName, $"{ProgramName}.csproj"), Path.Combine(folder.FullName, ProgramName, $"{ProgramName}.csproj")];
            if (places.FirstOrDefault(File.Exists) is { } project)
            {
                return project;
            }
        }

        throw new BenchmarkException(
            $"--deploy and --versions require a checkout, and there is none above '{Path.GetDirectoryName(assembly)}'. " +
                "Start the program from a checkout (./build/benchmark.sh).");
    }
}

internal sealed partial class VersionBuilds(CheckoutBuilds builds)
{
    public Action<string>? Report { get; init; }

    public async Task<VersionBuild> FindAsync(string package, string version, CancellationToken cancellationToken)
    {
        string folder = await builds.FindAsync($"{package} {version}", MakeAsync).ConfigureAwait(false);
        return new VersionBuild(version, Path.Combine(folder, $"{CheckoutBuilds.ProgramName}.dll"));

        async Task<string> MakeAsync(string project, string work)
        {
            // All versions start a little later, and the measured code is the same.
            string[] arguments = [$"-p:OptionalPackageId={package}", $"-p:OptionalPackageVersion={version}", "-p:CompilesAhead=false"];
            Report?.Invoke($"Building with {package} {version}. The build is kept for later runs.");
            CommandRun run = await builds.RunSdkAsync("build", $"built with {package} {version}", project, work, arguments, cancellationToken)
                .ConfigureAwait(false);
            return run.ExitCode == 0
                ? Path.Combine(work, "built", "bin", CheckoutBuilds.ProgramName, "release")
                : throw Failure(package, version, run);
        }
    }

    private static BenchmarkException Failure(string package, string version, CommandRun run) =>
        MissingPackage().Match(run.Output) is { Success: true } missing
            ? BenchmarkException.BadInput(
                $"Package {package} {version} could not be restored ({missing.Groups[1].Value}). Use a version that a package source has, " +
                    "such as a folder in the environment variable RestoreAdditionalProjectSources.")
            : new BenchmarkException(
                $"The program could not be built with {package} {version}: " +
                    $"{(FirstError().Match(run.Output) is { Success: true } error ? error.Groups[1].Value : run.Reason)}.");

    // The sentence of build/OptionalPackages.targets.
    [GeneratedRegex(@"could not be restored \(([^)]+)\)")]
    private static partial Regex MissingPackage();

    [GeneratedRegex(@": error (\w+: .+?)\.? \[")]
    private static partial Regex FirstError();
}

internal sealed record VersionBuild(string Version, string Assembly);
