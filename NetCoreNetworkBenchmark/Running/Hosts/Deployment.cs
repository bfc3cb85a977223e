using System.Formats.Tar;
using System.IO.Compression;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>Requires nothing but a shell on a host. Only the user may read the folder of a build there. Can be used for several hosts at a time.</summary>
/// <param name="shell">Makes the process that runs a shell command on a host, such as <c>ssh HOST -- COMMAND</c>.</param>
internal sealed class Deployment(Func<string, string, ProcessStartInfo> shell)
{
    private const int NotFound = 127;
    private const int SshFailed = 255;

    private readonly ConcurrentDictionary<string, Lazy<Task<PublishedProgram>>> _packages = new(StringComparer.Ordinal);

    public Publication Publication { get; init; } = new(CheckoutBuilds.OfThisProgram());

    /// <summary>Lets tests replace <see cref="Publication.PackAsync"/>.</summary>
    public Func<string, CancellationToken, Task<PublishedProgram>>? Pack { get; init; }
    public TimeSpan ShortDeadline { get; init; } = TimeSpan.FromSeconds(30);
    public TimeSpan CopyDeadline { get; init; } = TimeSpan.FromMinutes(10);

    /// <param name="cancellationToken">Ends it early. The host keeps nothing of an unfinished copy.</param>
    public async Task<string> DeployAsync(string host, CancellationToken cancellationToken)
    {
        PublishedProgram package = await PackageForAsync(host, cancellationToken);
        string folder = await KeepAsync(host, package.Hash, package.Sha256, string.Empty, () => File.OpenRead(package.File), cancellationToken);
        return $"{folder}/{CheckoutBuilds.ProgramName}";
    }

    /// <summary><see cref="DeployAsync"/> must have copied the program before.</summary>
    public async Task AddAsync(string host, AdapterPackage assembly, CancellationToken cancellationToken)
    {
        PublishedProgram program = await PackageForAsync(host, cancellationToken);
        await KeepAsync(host, program.Hash, assembly.Sha256, assembly.Part, () => new MemoryStream(assembly.Content), cancellationToken);
    }

    /// <summary>Called before anything is started, so that a host that cannot be used is named as soon as the launcher notices it.</summary>
    public Task RequireAsync(string host, IEnumerable<string> files, CancellationToken cancellationToken) =>
        RunAsync(host, HostScript.CommandOf("require", files), null, ShortDeadline, cancellationToken);

    public async Task UndeployAsync(string host, CancellationToken cancellationToken)
    {
        string rid = await SystemOfAsync(host, cancellationToken);
        string hash = _packages.TryGetValue(rid, out Lazy<Task<PublishedProgram>>? package)
            ? (await package.Value.WaitAsync(cancellationToken)).Hash
            : Publication.HashOf(rid);
        await RunAsync(host, HostScript.CommandOf("remove", CheckoutBuilds.ProgramName, hash), null, ShortDeadline, cancellationToken);
    }

    private async Task<PublishedProgram> PackageForAsync(string host, CancellationToken cancellationToken)
    {
        string rid = await SystemOfAsync(host, cancellationToken);
        Func<string, CancellationToken, Task<PublishedProgram>> pack = Pack ?? Publication.PackAsync;
        return await _packages.GetOrAdd(rid, key => new Lazy<Task<PublishedProgram>>(() => pack(key, cancellationToken))).Value.WaitAsync(cancellationToken);
    }

    private async Task<string> SystemOfAsync(string host, CancellationToken cancellationToken)
    {
        string output = await RunAsync(host, HostScript.CommandOf("system"), null, ShortDeadline, cancellationToken);

        // What the shell prints when it starts comes before it.
        string system = LastLine(output);
        return system switch
        {
            "Linux x86_64" or "Linux amd64" => "linux-x64",
            "Linux aarch64" or "Linux arm64" => "linux-arm64",
            _ => throw new BenchmarkException(
                $"The host '{host}' is '{PrintableText.From(system)}', and --deploy supports Linux on x86_64 and aarch64. Build the program there."),
        };
    }

    // Copies a package unless it is there, and returns its folder.
    private async Task<string> KeepAsync(
        string host, string program, string sha256, string part, Func<Stream> open, CancellationToken cancellationToken)
    {
        string[] package = [CheckoutBuilds.ProgramName, program, sha256, part];
        string output = await RunAsync(host, HostScript.CommandOf("find", package), null, ShortDeadline, cancellationToken);
        if (FolderIn(output) is { } there)
        {
            return there;
        }

        await using Stream content = open();
        output = await RunAsync(host, HostScript.CommandOf("unpack", package), content, CopyDeadline, cancellationToken);
        return FolderIn(output) ?? throw new BenchmarkException(
            $"The host '{host}' does not report where the program is ('{PrintableText.From(LastLine(output))}'). Try again.");
    }

    private async Task<string> RunAsync(string host, string command, Stream? input, TimeSpan deadline, CancellationToken cancellationToken)
    {
        try
        {
            CommandRun run = await CommandRun.RunAsync(shell(host, command), input, deadline, cancellationToken);
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
        (string fault, string place) = SplitLine(PrintableText.From(LastLine(run.Output)));
        return new BenchmarkException((run.ExitCode, fault) switch
        {
            (HostScript.Failed, "lacks-tool") =>
                $"The host '{host}' has no '{place}', which --deploy requires. Install it there, or copy the program yourself.",
            (HostScript.Failed, "lacks-file") =>
                $"The host '{host}' has no '{place}'. Install the program, .NET and the assemblies of {LibraryOptions.LoadName} at the same paths as here, " +
                    "or copy them with --deploy.",
            (HostScript.Failed, "not-private") =>
                $"On the host '{host}' the folder '{place}' belongs to another user, or others may write to it. " +
                    "Remove it there, or set TMPDIR to another folder.",
            (HostScript.Failed, "cannot-write") =>
                $"The host '{host}' could not store the program in '{place}' ({run.Reason}). Free disk space there, or set TMPDIR to another folder.",
            (HostScript.Failed, "damaged") =>
                $"The program arrived damaged at the host '{host}' (its SHA-256 differs), so it was removed there. Try again.",
            (HostScript.Failed, "cannot-unpack") =>
                $"The host '{host}' could not unpack the program in '{place}' ({run.Reason}). Free disk space there, or set TMPDIR to another folder.",
            (HostScript.Failed, "does-not-start") =>
                $"The program does not start on the host '{host}' in '{place}' ({run.Reason}). " +
                    "If the folder is mounted noexec, set TMPDIR to another one; if glibc or ICU is missing, install it.",
            (SshFailed, _) => $"The host '{host}' cannot be reached ({run.Reason}). Check that ssh runs a command there without a password.",
            (NotFound, _) => $"The host '{host}' lacks a command ({run.Reason}). Install it there, or copy the program yourself.",
            _ => $"A command failed on the host '{host}' with exit code {run.ExitCode} ({run.Reason}). Check that a shell command runs there.",
        });
    }

    // Null if the host has no complete copy.
    private static string? FolderIn(string output) => SplitLine(LastLine(output)) is ("ready", var folder) ? folder : null;

    private static (string Word, string Path) SplitLine(string line) => line.Split(' ', 2) is [var word, var path] ? (word, path) : (line, string.Empty);

    private static string LastLine(string text) => text.TrimEnd().Split('\n')[^1].Trim();
}

/// <summary>Nothing is trimmed: a trimmed framework has no precompiled code, so the cold part of a load on a host would not be the same.</summary>
internal sealed class Publication(CheckoutBuilds builds)
{
    private const string PackageName = "program.tar.gz";

    public string HashOf(string rid) => builds.HashOf(rid);

    public async Task<PublishedProgram> PackAsync(string rid, CancellationToken cancellationToken)
    {
        string folder = await builds.FindAsync(rid, (project, temporary) => PublishAsync(rid, project, temporary, cancellationToken));
        string package = Path.Combine(folder, PackageName);
        await using FileStream stream = File.OpenRead(package);
        byte[] sum = await SHA256.HashDataAsync(stream, cancellationToken);

        // The folder has the name of the build, whose sources may have been edited since.
        return new PublishedProgram(Path.GetFileName(folder), package, Convert.ToHexStringLower(sum));
    }

    private async Task<string> PublishAsync(string rid, string project, string temporary, CancellationToken cancellationToken)
    {
        string program = Path.Combine(temporary, "program");
        await RunSdkAsync(rid, project, temporary, program, cancellationToken);
        string folder = Directory.CreateDirectory(Path.Combine(temporary, "kept")).FullName;
        FileStream file = File.Create(Path.Combine(folder, PackageName));
        await using (file)
        {
            await using var zip = new GZipStream(file, CompressionLevel.Optimal);
            await TarFile.CreateFromDirectoryAsync(program, zip, includeBaseDirectory: false, cancellationToken);
        }

        return folder;
    }

    private async Task RunSdkAsync(string rid, string project, string temporary, string program, CancellationToken cancellationToken)
    {
        string[] arguments = ["--runtime", rid, "--self-contained", "true", "--output", program];
        CommandRun run = await builds.Sdk.RunAsync("publish", $"The program for {rid}", project, temporary, arguments, cancellationToken);
        if (run.ExitCode != 0)
        {
            throw new BenchmarkException(
                $"The program could not be published for {rid} ({run.Reason}); 'dotnet publish {project} -c Release -r {rid} --self-contained' reports more.");
        }
    }
}

internal sealed record PublishedProgram(string Hash, string File, string Sha256);

/// <summary>The commands of <c>deployment.sh</c>, each as one line for a host, whatever the user's shell is.</summary>
internal static class HostScript
{
    /// <summary>The exit code of a command that failed and has printed why.</summary>
    public const int Failed = 40;

    private static readonly Lazy<string> s_text = new(Read);

    public static string CommandOf(string command, params IEnumerable<string> arguments) =>
        $"exec sh -c {ShellCommand.QuoteForSh(s_text.Value)} sh {command} {string.Join(' ', arguments.Select(ShellCommand.QuoteForSh))}";

    private static string Read()
    {
        using var reader = new StreamReader(typeof(HostScript).Assembly.GetManifestResourceStream(typeof(HostScript), "deployment.sh")!);
        return string.Join(
            ' ', reader.ReadToEnd().Split('\n', StringSplitOptions.TrimEntries).Where(line => line.Length > 0 && !line.StartsWith('#')));
    }
}
