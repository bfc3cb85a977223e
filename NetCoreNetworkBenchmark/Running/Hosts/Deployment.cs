using System.Collections.Concurrent;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>
/// Copies this build of the program, with its runtime, to hosts, through nothing but a shell there. Each build has a folder of its own in the host's temporary
/// folder, which only the user may read. A host that has the build already gets nothing. Can be used for several hosts at a time.
/// </summary>
/// <param name="shell">Makes the process that runs a shell command on a host, such as <c>ssh HOST -- COMMAND</c>.</param>
internal sealed class Deployment(Func<string, string, ProcessStartInfo> shell)
{
    private const int NotFound = 127;
    private const int SshFailed = 255;

    private readonly ConcurrentDictionary<string, Lazy<Task<PublishedProgram>>> _packages = new(StringComparer.Ordinal);

    public Publication Publication { get; init; } = new(CheckoutBuilds.OfThisProgram());

    /// <summary>Replaces <see cref="Publication.PackAsync"/>, so that tests can deploy any package.</summary>
    public Func<string, CancellationToken, Task<PublishedProgram>>? Pack { get; init; }

    public TimeSpan ShortDeadline { get; init; } = TimeSpan.FromSeconds(30);

    public TimeSpan CopyDeadline { get; init; } = TimeSpan.FromMinutes(10);

    /// <param name="cancellationToken">Ends it early. The host keeps nothing of an unfinished copy.</param>
    /// <returns>The path of the program on the host. It may have blanks.</returns>
    public async Task<string> DeployAsync(string host, CancellationToken cancellationToken)
    {
        string rid = await SystemOfAsync(host, cancellationToken).ConfigureAwait(false);
        Func<string, CancellationToken, Task<PublishedProgram>> pack = Pack ?? Publication.PackAsync;
        PublishedProgram package = await _packages.GetOrAdd(
            rid, key => new Lazy<Task<PublishedProgram>>(() => pack(key, cancellationToken))).Value.WaitAsync(cancellationToken).ConfigureAwait(false);
        string output = await RunAsync(host, HostScripts.Find(package.Hash), null, ShortDeadline, cancellationToken).ConfigureAwait(false);
        return FolderIn(output, HostScripts.Ready) ?? await CopyAsync(host, package, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Finds out whether a host can be reached and has some files. Nothing has been started before, so a host that cannot be used is named as soon as the
    /// launcher notices it.
    /// </summary>
    public Task RequireAsync(string host, IEnumerable<string> files, CancellationToken cancellationToken) =>
        RunAsync(host, HostScripts.Require(files), null, ShortDeadline, cancellationToken);

    /// <summary>Removes the program from a host, and nothing else. A host that does not have it is left alone.</summary>
    public async Task UndeployAsync(string host, CancellationToken cancellationToken)
    {
        string rid = await SystemOfAsync(host, cancellationToken).ConfigureAwait(false);
        string hash = _packages.TryGetValue(rid, out Lazy<Task<PublishedProgram>>? package)
            ? (await package.Value.WaitAsync(cancellationToken).ConfigureAwait(false)).Hash
            : Publication.HashOf(rid);
        await RunAsync(host, HostScripts.Remove(hash), null, ShortDeadline, cancellationToken).ConfigureAwait(false);
    }

    private async Task<string> SystemOfAsync(string host, CancellationToken cancellationToken)
    {
        string output = await RunAsync(host, HostScripts.System(), null, ShortDeadline, cancellationToken).ConfigureAwait(false);

        // What the shell prints when it starts comes before it.
        string system = LastLine(output);
        return system switch
        {
            "Linux x86_64" or "Linux amd64" => "linux-x64",
            "Linux aarch64" or "Linux arm64" => "linux-arm64",
            _ => throw new BenchmarkException(
                $"The host '{host}' is '{Printable(system)}', and --deploy supports Linux on x86_64 and aarch64. Build the program there."),
        };
    }

    private async Task<string> CopyAsync(string host, PublishedProgram package, CancellationToken cancellationToken)
    {
        FileStream file = File.OpenRead(package.File);
        await using (file.ConfigureAwait(false))
        {
            string output = await RunAsync(host, HostScripts.Unpack(package.Hash, package.Sha256), file, CopyDeadline, cancellationToken).ConfigureAwait(false);
            return FolderIn(output, HostScripts.Ready)
                ?? throw new BenchmarkException($"The host '{host}' does not report where the program is ('{Printable(LastLine(output))}'). Try again.");
        }
    }

    private async Task<string> RunAsync(string host, string command, Stream? input, TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            CommandRun run = await CommandRun.RunAsync(shell(host, command), input, deadline, cancellationToken).ConfigureAwait(false);
            return run.ExitCode == 0 ? run.Output : throw Failed(host, run);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException(
                FormattableString.Invariant($"The host '{host}' did not finish a command within {deadline.TotalSeconds:0.#} s. Check that it can be reached."),
                exception);
        }
        catch (BenchmarkException exception) when (exception.InnerException is System.ComponentModel.Win32Exception)
        {
            throw new BenchmarkException($"No command could be run on the host '{host}': {exception.Message}.", exception);
        }
    }

    private static BenchmarkException Failed(string host, CommandRun run)
    {
        string place = Printable(LastLine(run.Output));
        return new BenchmarkException(run.ExitCode switch
        {
            HostScripts.LacksTool => $"The host '{host}' has no '{place}', which --deploy requires. Install it there, or copy the program yourself.",
            HostScripts.LacksFile =>
                $"The host '{host}' has no '{place}'. Install the program and .NET at the same paths as here, or use --deploy.",
            HostScripts.BelongsToOthers =>
                $"On the host '{host}' the folder '{place}' belongs to another user, or others may write to it. " +
                    "Remove it there, or set TMPDIR to another folder.",
            HostScripts.CannotWrite =>
                $"The host '{host}' could not store the program in '{place}' ({run.Reason}). Free disk space there, or set TMPDIR to another folder.",
            HostScripts.Damaged => $"The program arrived damaged at the host '{host}' (its SHA-256 differs), so it was removed there. Try again.",
            HostScripts.CannotUnpack =>
                $"The host '{host}' could not unpack the program in '{place}' ({run.Reason}). Free disk space there, or set TMPDIR to another folder.",
            HostScripts.DoesNotStart =>
                $"The program does not start on the host '{host}' in '{place}' ({run.Reason}). " +
                    "If the folder is mounted noexec, set TMPDIR to another one; if glibc or ICU is missing, install it.",
            SshFailed => $"The host '{host}' cannot be reached ({run.Reason}). Check that ssh runs a command there without a password.",
            NotFound => $"The host '{host}' lacks a command ({run.Reason}). Install it there, or copy the program yourself.",
            _ => $"A command failed on the host '{host}' with exit code {run.ExitCode} ({run.Reason}). Check that a shell command runs there.",
        });
    }

    // The program's path; null if the last line does not begin with the word.
    private static string? FolderIn(string output, string word) =>
        LastLine(output).Split(' ', 2) is [var first, var folder] && first == word ? $"{folder}/{HostScripts.Program}" : null;

    private static string LastLine(string text) =>
        text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).LastOrDefault() ?? string.Empty;

    private static string Printable(string text) => string.Concat(text.Where(character => !char.IsControl(character)).Take(300));
}
