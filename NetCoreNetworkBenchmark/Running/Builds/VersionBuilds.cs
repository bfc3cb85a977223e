using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>Builds of this program that differ in the version of one library's package.</summary>
internal sealed partial class VersionBuilds(CheckoutBuilds builds)
{
    public Action<string>? Report { get; init; }

    /// <param name="package">The name of the package, which is that of the library.</param>
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
