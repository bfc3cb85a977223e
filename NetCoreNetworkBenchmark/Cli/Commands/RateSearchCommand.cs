using System.Globalization;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Searches;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Searches for the highest rate at which the limits hold.</summary>
internal static class RateSearchCommand
{
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        ResultFiles? files = context.FilesFor(request.Output);
        IWorkload workload = chosen.Workload;
        var search = new RateSearch(chosen.Plan, chosen.Info, request.Limits)
        {
            Run = (rated, token) => new Coordinator(rated, chosen.Info, workload) { Progress = PhasesOf(rated, request, context) }
                .RunAsync(Placement.InFreshProcesses(rated, chosen.Info), token),
            Finished = step => context.Errors.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{step.Value:N0} msg/s: {(step.Holds ? "holds" : step.Reason)}")),
        };
        SweepResult result = await search.RunAsync(cancellationToken).ConfigureAwait(false);
        context.Print(result, request.Json);
        files?.Write(result);
        return result is { HighestRate: not null, Aborted: false } ? ExitCode.Success : ExitCode.Failed;
    }

    private static Action<RunProgress>? PhasesOf(RunPlan rated, CliRequest request, CommandContext context) => request.Verbose
        ? new PhaseLines(context.Errors.WriteLine, string.Create(CultureInfo.InvariantCulture, $"{rated.Rate:N0} msg/s")).Tell
        : null;
}
