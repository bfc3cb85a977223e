using System.Security.Cryptography;
using System.Text;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Builds;

/// <summary>Each in a clone of its own: the Git repository stays as it is.</summary>
/// <param name="command">The command for the system's shell. <see cref="Output"/> in it is replaced by the folder for the package or the assemblies.</param>
internal sealed class CommitBuilds(string command, string package, string repository, BuildCache cache)
{
    public const string Output = "{out}";
    private const string Packages = "*.nupkg";

    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    public Action<string>? Report { get; init; }

    /// <returns>The path of the package, or the folder with the library's assembly.</returns>
    public async Task<string> FindAsync(string revision, CancellationToken cancellationToken)
    {
        CommandRun resolved = await RunAsync(
            "git", ["rev-parse", "--verify", "--quiet", "--end-of-options", $"{revision}^{{commit}}"], repository, cancellationToken);
        string commit = resolved.ExitCode == 0 ? resolved.Output.Trim()
            : throw BenchmarkException.BadInput($"'{revision}' is not a commit of a Git repository in '{repository}'.");
        string hash = BuildCache.NameOf(SHA256.HashData(Encoding.UTF8.GetBytes($"{commit} {package} {command}")));
        return LibraryIn(await cache.FindAsync(hash, BuildAsync))!;

        async Task<string> BuildAsync(string temporary)
        {
            Report?.Invoke($"Building {revision} with '{command}', once.");
            string clone = Path.Combine(temporary, "clone");
            await RequireGitAsync(repository, "clone", "--quiet", "--shared", "--no-checkout", ".", clone);
            await RequireGitAsync(clone, "checkout", "--quiet", "--detach", commit);

            string output = Directory.CreateDirectory(Path.Combine(temporary, "output")).FullName;
            string line = command.Replace(Output, output, StringComparison.Ordinal);
            (string shell, string option) = OperatingSystem.IsWindows() ? ("cmd", "/c") : ("/bin/sh", "-c");
            CommandRun build = await RunAsync(shell, [option, line], clone, cancellationToken);
            return build.ExitCode != 0 ? throw new BenchmarkException($"'{command}' failed at {revision}: {build.Reason}.")
                : LibraryIn(output) is not null ? output
                : throw BenchmarkException.BadInput(
                    $"'{command}' made {Directory.GetFiles(output, Packages).Length} packages and no {package}.dll " +
                        $"in {Output} at {revision}, instead of one package (.nupkg) or the assembly.");
        }

        async Task RequireGitAsync(string folder, params string[] arguments)
        {
            CommandRun git = await RunAsync("git", arguments, folder, cancellationToken);
            if (git.ExitCode != 0)
            {
                throw new BenchmarkException($"git {arguments[0]} failed: {git.Reason}.");
            }
        }
    }

    private string? LibraryIn(string folder) => Directory.GetFiles(folder, Packages) is [var file] ? file
        : File.Exists(AdapterBuilds.AssemblyIn(folder, package)) ? folder
        : null;

    private static async Task<CommandRun> RunAsync(string program, string[] arguments, string folder, CancellationToken cancellationToken)
    {
        try
        {
            var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = folder };
            return await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken);
        }
        catch (Exception exception) when (exception is BenchmarkException or TimeoutException)
        {
            throw new BenchmarkException($"A commit could not be built: {exception.Message}.", exception);
        }
    }
}
