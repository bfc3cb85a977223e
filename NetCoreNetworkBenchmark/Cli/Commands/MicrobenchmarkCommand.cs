using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Microbenchmarks;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Runs BenchmarkDotNet on the hot paths of the harness.</summary>
internal static class MicrobenchmarkCommand
{
    private const string DefaultFolder = "Microbenchmarks";

    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        if (request.Json)
        {
            throw BenchmarkException.BadInput(
                "Options --microbenchmarks and --json exclude each other: BenchmarkDotNet writes its JSON below --output. See --help.");
        }

        string folder = Path.GetFullPath(request.Output ?? Path.Combine(BenchmarksFolder.Default(), DefaultFolder));
        AtomicFile.RequireFolder(folder);
        await context.SayAsync("BenchmarkDotNet runs over the harness' own hot paths, for about a minute.").ConfigureAwait(false);

        // The call blocks a separate thread, which ends with the process if the user does not wait for it.
        (string table, IReadOnlyList<string> failed) = await Task.Factory.StartNew(
            () => MicrobenchmarkRun.Run(folder, request.MicrobenchmarkTime),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default).WaitAsync(cancellationToken).ConfigureAwait(false);
        await context.Output.WriteLineAsync(table).ConfigureAwait(false);
        await context.Output.WriteLineAsync($"Written to {folder}").ConfigureAwait(false);
        foreach (string name in failed)
        {
            await context.SayAsync($"Failed: {name}").ConfigureAwait(false);
        }

        return failed.Count == 0 ? ExitCode.Success : ExitCode.Failed;
    }
}
