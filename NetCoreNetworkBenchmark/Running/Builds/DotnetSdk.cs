using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Builds;

internal sealed record DotnetSdk(string Program = "dotnet")
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    /// <param name="what">What is made, as the subject of a sentence.</param>
    public async Task<CommandRun> RunAsync(
        string command, string what, string project, string temporary, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        // A measurement leaves no compiler server behind. The build has audited the packages, and a machine without a way to the registry can build with the
        // packages that it has.
        var start = new ProcessStartInfo(
            Program,
            [
                command, project, "--configuration", "Release", "--artifacts-path", Path.Combine(temporary, "built"), "--nologo", "--verbosity", "quiet",
                "--disable-build-servers", "-clp:NoSummary", "-p:RunAnalyzers=false", "-p:NuGetAudit=false",
                .. arguments,
            ])
        {
            WorkingDirectory = Path.GetDirectoryName(project)!,
            Environment = { ["DOTNET_CLI_UI_LANGUAGE"] = "en" },
        };
        try
        {
            return await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken);
        }
        catch (BenchmarkException exception)
        {
            throw new BenchmarkException(
                $"{what} is built with the .NET SDK, and {exception.Message}; install the .NET 10 SDK: https://dotnet.microsoft.com/download.", exception);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException($"{what} could not be built: {exception.Message}.", exception);
        }
    }
}
