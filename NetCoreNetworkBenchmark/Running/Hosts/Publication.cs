using System.Formats.Tar;
using System.IO.Compression;
using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Running.Builds;
using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Hosts;

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

/// <param name="File">The package: tar and gzip, with the program in its root.</param>
/// <param name="Sha256">The SHA-256 of the file, in hexadecimal digits.</param>
internal sealed record PublishedProgram(string Hash, string File, string Sha256);
