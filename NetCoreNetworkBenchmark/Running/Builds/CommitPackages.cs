using System.Security.Cryptography;
using System.Text;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>Each commit is built in a clone of its own, so that the repository stays as it is.</summary>
/// <param name="command">The command for the system's shell. <see cref="Output"/> in it is replaced by the folder for the package.</param>
internal sealed class CommitPackages(string command, string repository, BuildCache cache)
{
    public const string Output = "{out}";

    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    public Action<string>? Report { get; init; }

    /// <returns>The path of the package.</returns>
    public async Task<string> FindAsync(string revision, CancellationToken cancellationToken)
    {
        CommandRun resolved = await RunAsync(
            "git", ["rev-parse", "--verify", "--quiet", "--end-of-options", $"{revision}^{{commit}}"], repository, cancellationToken).ConfigureAwait(false);
        string commit = resolved.ExitCode == 0 ? resolved.Output.Trim()
            : throw BenchmarkException.BadInput($"'{revision}' is not a commit of a Git repository in '{repository}'.");
        string hash = BuildCache.NameOf(SHA256.HashData(Encoding.UTF8.GetBytes($"{commit} {command}")));
        return PackageIn(await cache.FindAsync(hash, BuildAsync).ConfigureAwait(false))!;

        async Task<string> BuildAsync(string temporary)
        {
            Report?.Invoke($"Building {revision} with '{command}', once.");
            string clone = Path.Combine(temporary, "clone");
            await RequireGitAsync(repository, "clone", "--quiet", "--shared", "--no-checkout", ".", clone).ConfigureAwait(false);
            await RequireGitAsync(clone, "checkout", "--quiet", "--detach", commit).ConfigureAwait(false);

            string packages = Directory.CreateDirectory(Path.Combine(temporary, "packages")).FullName;
            string line = command.Replace(Output, packages, StringComparison.Ordinal);
            (string shell, string option) = OperatingSystem.IsWindows() ? ("cmd", "/c") : ("/bin/sh", "-c");
            CommandRun build = await RunAsync(shell, [option, line], clone, cancellationToken).ConfigureAwait(false);
            return build.ExitCode != 0 ? throw new BenchmarkException($"'{command}' failed at {revision}: {build.Reason}.")
                : PackageIn(packages) is not null ? packages
                : throw BenchmarkException.BadInput($"'{command}' made {Directory.GetFiles(packages, "*.nupkg").Length} packages in {Output} at {revision}, " +
                    "instead of one (.nupkg).");
        }

        async Task RequireGitAsync(string folder, params string[] arguments)
        {
            CommandRun git = await RunAsync("git", arguments, folder, cancellationToken).ConfigureAwait(false);
            if (git.ExitCode != 0)
            {
                throw new BenchmarkException($"git {arguments[0]} failed: {git.Reason}.");
            }
        }
    }

    private static string? PackageIn(string folder) => Directory.GetFiles(folder, "*.nupkg") is [var package] ? package : null;

    private static async Task<CommandRun> RunAsync(string program, string[] arguments, string folder, CancellationToken cancellationToken)
    {
        try
        {
            var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = folder };
            return await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            throw new BenchmarkException($"The package of a commit could not be built: {exception.Message}.", exception);
        }
    }
}
