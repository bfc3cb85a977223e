using System.Diagnostics;
using System.Formats.Tar;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>
/// Publishes this build of the program with its runtime, and packs it (tar and gzip). The outcome is kept in the user's cache, so that the same build is not
/// published twice.
/// </summary>
/// <remarks>
/// Nothing is trimmed: a trimmed framework loses its precompiled code, so the program would start more slowly on a host than here, and the cold part
/// of a load would not be the same.
/// </remarks>
/// <param name="assembly">The file of the running assembly, in the output folder of a checkout.</param>
/// <param name="cache">The folder of the cache.</param>
internal sealed class Publication(string assembly, string cache)
{
    private const string Name = "NetCoreNetworkBenchmark";
    private const int HashDigits = 32;
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    /// <summary>The command of the .NET SDK.</summary>
    public string Sdk { get; init; } = "dotnet";

    /// <summary>Of this process, in the user's cache.</summary>
    public static Publication OfThisProgram() => new(typeof(Publication).Assembly.Location, UserCache());

    /// <summary>Returns the hash that tells builds for different systems apart.</summary>
    /// <param name="rid">The runtime identifier, such as linux-x64.</param>
    public string HashOf(string rid)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (string file in (string[])[assembly, Path.ChangeExtension(assembly, ".deps.json")])
        {
            hash.AppendData(File.Exists(file) ? File.ReadAllBytes(file) : []);
        }

        hash.AppendData(Encoding.UTF8.GetBytes($"{ResultBuilder.HarnessVersion} {Environment.Version} {rid}"));
        return Convert.ToHexStringLower(hash.GetHashAndReset())[..HashDigits];
    }

    /// <summary>Returns the package, and publishes it if it is not in the cache.</summary>
    /// <param name="rid">The runtime identifier, such as linux-x64.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <exception cref="BenchmarkException">There is no checkout or SDK, or the program could not be published.</exception>
    public async Task<PublishedProgram> PackAsync(string rid, CancellationToken cancellationToken)
    {
        string hash = HashOf(rid);
        string kept = Path.Combine(cache, hash);
        string package = Path.Combine(kept, "program.tar.gz");
        if (!File.Exists(package))
        {
            await PublishAsync(rid, kept, cancellationToken).ConfigureAwait(false);
        }

        FileStream stream = File.OpenRead(package);
        await using (stream.ConfigureAwait(false))
        {
            return new PublishedProgram(hash, package, Convert.ToHexStringLower(await SHA256.HashDataAsync(stream, cancellationToken).ConfigureAwait(false)));
        }
    }

    private static string UserCache()
    {
        string? asked = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");
        string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        return Path.Combine(Path.IsPathRooted(asked) ? asked : Path.Combine(home, ".cache"), Name);
    }

    // Complete, and only then under its name: two processes may publish at the same time, and either may be ended.
    private async Task PublishAsync(string rid, string kept, CancellationToken cancellationToken)
    {
        string project = FindProject();
        string work = $"{kept}.{Guid.NewGuid():N}";
        try
        {
            Directory.CreateDirectory(Path.Combine(work, "kept"));
            await RunSdkAsync(project, rid, work, cancellationToken).ConfigureAwait(false);
            FileStream file = File.Create(Path.Combine(work, "kept", "program.tar.gz"));
            await using (file.ConfigureAwait(false))
            {
                var zip = new GZipStream(file, CompressionLevel.Optimal);
                await using (zip.ConfigureAwait(false))
                {
                    await TarFile.CreateFromDirectoryAsync(Path.Combine(work, "program"), zip, includeBaseDirectory: false, cancellationToken)
                        .ConfigureAwait(false);
                }
            }

            Keep(Path.Combine(work, "kept"), kept);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException(
                $"The program could not be kept in '{cache}' ({exception.Message.TrimEnd('.')}); name another folder with XDG_CACHE_HOME.", exception);
        }
        finally
        {
            if (Directory.Exists(work))
            {
                Directory.Delete(work, recursive: true);
            }
        }
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

    private async Task RunSdkAsync(string project, string rid, string work, CancellationToken cancellationToken)
    {
        // The folders of the checkout stay as they are. Packages that were compiled ahead come twice, which is no fault. The build has audited the packages,
        // and a coordinator without a way to the registry can publish with the packages that it has.
        var start = new ProcessStartInfo(
            Sdk,
            [
                "publish", project, "--configuration", "Release", "--runtime", rid, "--self-contained", "true", "--artifacts-path", Path.Combine(work, "built"),
                "--output", Path.Combine(work, "program"), "--nologo", "--verbosity", "quiet", "--disable-build-servers", "-p:RunAnalyzers=false",
                "-p:ErrorOnDuplicatePublishOutputFiles=false", "-p:NuGetAudit=false",
            ])
        {
            WorkingDirectory = Path.GetDirectoryName(project)!,
            Environment = { ["DOTNET_CLI_UI_LANGUAGE"] = "en" },
        };
        CommandRun run;
        try
        {
            run = await CommandRun.RunAsync(start, input: null, s_deadline, cancellationToken).ConfigureAwait(false);
        }
        catch (BenchmarkException exception)
        {
            throw new BenchmarkException(
                $"The program is published for a host with the .NET SDK, and {exception.Message}; " +
                    "install the .NET 10 SDK: https://dotnet.microsoft.com/download.",
                exception);
        }
        catch (TimeoutException exception)
        {
            throw new BenchmarkException($"The program could not be published for {rid}: {exception.Message}.", exception);
        }

        if (run.ExitCode != 0)
        {
            throw new BenchmarkException(
                $"The program could not be published for {rid} ({run.Reason}); 'dotnet publish {project} -c Release -r {rid} --self-contained' reports more.");
        }
    }

    // From bin/Release/net10.0 upwards, or beside another project of the checkout whose output has a copy of the assembly.
    private string FindProject()
    {
        for (DirectoryInfo? folder = new FileInfo(assembly).Directory; folder is not null; folder = folder.Parent)
        {
            string[] places = [Path.Combine(folder.FullName, $"{Name}.csproj"), Path.Combine(folder.FullName, Name, $"{Name}.csproj")];
            if (places.FirstOrDefault(File.Exists) is { } project)
            {
                return project;
            }
        }

        throw new BenchmarkException(
            $"The program is published for a host from its checkout, and there is none above '{Path.GetDirectoryName(assembly)}'; " +
                "start --deploy from a checkout, or install the program at the same path on every host and leave --deploy out.");
    }
}

/// <summary>A package of the program with its runtime.</summary>
/// <param name="Hash">The hash of the build and its system.</param>
/// <param name="File">The package: tar and gzip, with the program in its root.</param>
/// <param name="Sha256">The SHA-256 of the file, in hexadecimal digits.</param>
internal sealed record PublishedProgram(string Hash, string File, string Sha256);
