using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal static class SearchCommand
{
    public static async Task<int> FindRateAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        ResultFiles? files = context.FilesFor(request, ResultKind.Sweep);
        var search = new RateSearch(chosen.Plan, chosen.Info, request.Limits)
        {
            Run = (rated, token) =>
            {
                var lines = new PhaseLines(context.Errors.WriteLine, string.Create(CultureInfo.InvariantCulture, $"{rated.Rate:N0} msg/s"));
                return new Run(rated, chosen.Info, chosen.Workload, Placement.InFreshProcesses(rated)) { Progress = request.Verbose ? lines.Report : null }
                    .RunAsync(token);
            },
            Finished = step => context.Errors.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{step.Value:N0} msg/s: {(step.Holds ? "holds" : step.Reason)}")),
        };
        SweepResult result = await search.RunAsync(cancellationToken).ConfigureAwait(false);
        return context.Report(result, request, files, result is { HighestRate: not null, Aborted: false });
    }

    public static async Task<int> FindClientsAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.FindLibraryAsync(request).ConfigureAwait(false);
        (RunPlan plan, LibraryInfo library) = (chosen.Plan, chosen.Info);
        CapacityBound bound = CapacityBound.Find(request.MostClients, library);
        RunPlan largest = plan with { Clients = bound.Clients };
        PlanCheck.Check(largest, library);
        _ = await HostNames.ResolveAsync(plan, library, cancellationToken).ConfigureAwait(false);
        Fitness fitness = await context.WarnAsync(largest, cancellationToken).ConfigureAwait(false);
        ResultFiles? files = context.FilesFor(request, ResultKind.Capacity);
        var search = new CapacitySearch(plan, library, bound)
        {
            Fitness = fitness,
            Run = (crowded, token) => new Run(crowded, library, chosen.Workload, Placement.InFreshProcesses(crowded)).RunAsync(token),
            Finished = step => context.Errors.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{step.Value:N0} clients: {(step.Holds ? "hold" : step.Reason)}")),
        };
        CapacityResult result = await search.RunAsync(cancellationToken).ConfigureAwait(false);
        return context.Report(result, request, files, result is { HighestClients: not null, Aborted: false });
    }
}
