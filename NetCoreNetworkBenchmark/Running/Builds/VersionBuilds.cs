using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>Builds of this program that differ in the version of one library's package.</summary>
/// <param name="builds">The builds of the checkout.</param>
internal sealed partial class VersionBuilds(CheckoutBuilds builds)
{
    /// <summary>Called with a text for the user before a version is looked up or built.</summary>
    public Action<string>? Told { get; init; }

    /// <summary>Returns the build with one version of a package, and makes it if it is not in the cache.</summary>
    /// <param name="package">The name of the package, which is that of the library.</param>
    /// <param name="version">The version.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <exception cref="BenchmarkException">
    /// There is no checkout or SDK, no source has the version, or the library's adapter does not compile with it.
    /// </exception>
    public async Task<VersionBuild> FindAsync(string package, string version, CancellationToken cancellationToken)
    {
        string folder = await builds.FindAsync($"{package} {version}", MakeAsync).ConfigureAwait(false);
        return new VersionBuild(version, Path.Combine(folder, $"{CheckoutBuilds.ProgramName}.dll"));

        async Task<string> MakeAsync(string project, string work)
        {
            // All versions start a little later, and the measured code is the same.
            string[] arguments = [$"-p:OptionalPackageId={package}", $"-p:OptionalPackageVersion={version}", "-p:CompilesAhead=false"];
            Told?.Invoke($"Building with {package} {version}. The build is kept for later runs.");
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

/// <summary>A build with one version of a library.</summary>
/// <param name="Version">The version of the library's package.</param>
/// <param name="Assembly">The path of the build's assembly.</param>
internal sealed record VersionBuild(string Version, string Assembly);
