using System.Formats.Tar;
using System.IO.Compression;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Machine;
using static System.FormattableString;

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
                Invariant($"The host '{host}' did not finish a command within {deadline.TotalSeconds:0.#} s. Check that it can be reached."),
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

/// <summary>
/// Publishes this build of the program with its runtime, and packs it (tar and gzip). The outcome is kept in the user's cache, so that the same build is not
/// published twice.
/// </summary>
/// <remarks>
/// Nothing is trimmed: a trimmed framework loses its precompiled code, so the program would start more slowly on a host than here, and the cold part
/// of a load would not be the same.
/// </remarks>
internal sealed class Publication(CheckoutBuilds builds)
{
    private const string PackageName = "program.tar.gz";

    public string HashOf(string rid) => builds.HashOf(rid);

    public async Task<PublishedProgram> PackAsync(string rid, CancellationToken cancellationToken)
    {
        string folder = await builds.FindAsync(rid, (project, work) => PublishAsync(rid, project, work, cancellationToken)).ConfigureAwait(false);
        string package = Path.Combine(folder, PackageName);
        FileStream stream = File.OpenRead(package);
        await using (stream.ConfigureAwait(false))
        {
            byte[] sum = await SHA256.HashDataAsync(stream, cancellationToken).ConfigureAwait(false);
            return new PublishedProgram(HashOf(rid), package, Convert.ToHexStringLower(sum));
        }
    }

    private async Task<string> PublishAsync(string rid, string project, string work, CancellationToken cancellationToken)
    {
        string program = Path.Combine(work, "program");
        await RunSdkAsync(rid, project, work, program, cancellationToken).ConfigureAwait(false);
        string kept = Directory.CreateDirectory(Path.Combine(work, "kept")).FullName;
        FileStream file = File.Create(Path.Combine(kept, PackageName));
        await using (file.ConfigureAwait(false))
        {
            var zip = new GZipStream(file, CompressionLevel.Optimal);
            await using (zip.ConfigureAwait(false))
            {
                await TarFile.CreateFromDirectoryAsync(program, zip, includeBaseDirectory: false, cancellationToken).ConfigureAwait(false);
            }
        }

        return kept;
    }

    private async Task RunSdkAsync(string rid, string project, string work, string program, CancellationToken cancellationToken)
    {
        // Packages that were compiled ahead come twice, which is no fault.
        string[] arguments = ["--runtime", rid, "--self-contained", "true", "--output", program, "-p:ErrorOnDuplicatePublishOutputFiles=false"];
        CommandRun run = await builds.RunSdkAsync("publish", $"published for {rid}", project, work, arguments, cancellationToken).ConfigureAwait(false);
        if (run.ExitCode != 0)
        {
            throw new BenchmarkException(
                $"The program could not be published for {rid} ({run.Reason}); 'dotnet publish {project} -c Release -r {rid} --self-contained' reports more.");
        }
    }
}

internal sealed record PublishedProgram(string Hash, string File, string Sha256);

/// <summary>
/// The shell commands of a deployment, for any POSIX shell with the usual tools of Linux. Each is one line for <c>sh</c>, whatever the user's shell is. The
/// temporary folder of a host belongs to everybody, so a folder there is used only if it is the user's and nobody else may write to it.
/// </summary>
internal static class HostScripts
{
    public const string Program = "NetCoreNetworkBenchmark";
    public const int LacksTool = 40;
    public const int BelongsToOthers = 41;
    public const int CannotWrite = 42;
    public const int Damaged = 43;
    public const int CannotUnpack = 44;
    public const int DoesNotStart = 45;
    public const int LacksFile = 46;

    /// <summary>The first word of the last line of an output: the folder of a complete program follows.</summary>
    public const string Ready = "ready";

    /// <summary>The first word of the last line of an output: the folder follows, and there is no program in it.</summary>
    public const string Missing = "missing";

    private const string Marker = ".complete";

    // Own: the folder exists, is no link, and nobody but the user may do anything with it.
    private const string Functions =
        "own() { [ -d \"$1\" ] && [ ! -L \"$1\" ] && [ \"$(stat -c \"%u %a\" \"$1\")\" = \"$(id -u) 700\" ]; }; " +
        "there() { [ -e \"$1\" ] || [ -L \"$1\" ]; }; " +
        "foreign() { echo \"$1\"; exit 41; }; ";

    public static string System() => Shell("uname -s -m");

    public static string Require(IEnumerable<string> files) =>
        $"{Shell("for file do [ -e \"$file\" ] || { echo \"$file\"; exit 46; }; done")} sh {string.Join(' ', files.Select(ShellCommand.QuoteForSh))}";

    public static string Find(string hash) => Shell(
        $"{Functions}{Folder(hash)}" +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; fi; " +
        $"if [ -f \"$d/{Marker}\" ]; then echo \"{Ready} $d\"; else echo \"{Missing} $d\"; fi");

    /// <summary>Takes the package from standard input, verifies and unpacks it, starts the program once, and gives it its name.</summary>
    public static string Unpack(string hash, string sha256) => Shell(
        $"{Functions}{Folder(hash)}umask 077; " +
        "for tool in id stat mktemp sha256sum tar gzip; do command -v $tool >/dev/null 2>&1 || { echo $tool; exit 40; }; done; " +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; fi; " +
        "t=$(mktemp -d \"$d.XXXXXX\") || { dirname \"$d\"; exit 42; }; " +
        "trap \"rm -rf \\\"$t\\\"\" EXIT; trap \"exit 47\" HUP INT TERM; " +
        "cat >\"$t/package\" || { dirname \"$d\"; exit 42; }; " +
        $"echo \"{sha256}  $t/package\" | sha256sum -c - >/dev/null 2>&1 || exit 43; " +
        "mkdir \"$t/program\" && tar -xzof \"$t/package\" -C \"$t/program\" || { dirname \"$d\"; exit 44; }; " +
        "chmod g-s,u=rwx,go= \"$t/program\"; " +
        $"\"$t/program/{Program}\" --version >/dev/null </dev/null || {{ dirname \"$d\"; exit 45; }}; " +
        $"echo {sha256} >\"$t/program/{Marker}\" || {{ dirname \"$d\"; exit 42; }}; " +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; rm -rf \"$d\"; fi; " +
        $"mv \"$t/program\" \"$d\" || {{ dirname \"$d\"; exit 42; }}; " +

        // A folder of somebody else that came to be meanwhile would have taken the program in.
        $"own \"$d\" && [ -f \"$d/{Marker}\" ] || foreign \"$d\"; " +
        $"echo \"{Ready} $d\"");

    public static string Remove(string hash) => Shell(
        $"{Functions}{Folder(hash)}" +
        "if there \"$d\"; then own \"$d\" || foreign \"$d\"; rm -rf \"$d\"; fi");

    private static string Folder(string hash) =>
        $"u=$(id -un | tr -c \"A-Za-z0-9._\\n-\" _); d=\"${{TMPDIR:-/tmp}}/{Program}-$u-{hash}\"; ";

    private static string Shell(string script) => script.Contains('\'', StringComparison.Ordinal)
        ? throw new ArgumentException("The script is quoted as a whole, so it cannot have this quote.", nameof(script))
        : $"exec sh -c '{script}'";
}
