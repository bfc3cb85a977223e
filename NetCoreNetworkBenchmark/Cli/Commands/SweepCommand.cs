using System.Globalization;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Sweeps;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Searches for the highest rate at which the limits hold.</summary>
internal static class SweepCommand
{
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        ResultFiles? files = context.FilesFor(request.Output);
        var sweep = new Sweep(chosen.Plan, chosen.Info, request.Limits)
        {
            Run = (rated, token) => new Launch(rated, chosen.Info) { Progress = PhasesOf(rated, request, context) }.RunAsync(token),
            Finished = point => context.Errors.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{point.Rate:N0} msg/s: {(point.Holds ? "holds" : point.Reason)}")),
        };
        SweepResult result = await sweep.RunAsync(cancellationToken).ConfigureAwait(false);
        context.Print(result, request.Json);
        files?.Write(result);
        return result is { HighestRate: not null, Aborted: false } ? ExitCode.Success : ExitCode.Failed;
    }

    private static Action<RunProgress>? PhasesOf(RunPlan rated, CliRequest request, CommandContext context) => request.Verbose
        ? new PhaseLines(context.Errors.WriteLine, string.Create(CultureInfo.InvariantCulture, $"{rated.Rate:N0} msg/s")).Tell
        : null;
}
