using NetCoreNetworkBenchmark.Running.Pinning;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Runs the clients alone, for a server that was started elsewhere.</summary>
internal static class ClientCommand
{
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        RunPlan plan = chosen.Plan;
        PlanCheck.CheckAlone(request, chosen.Info);
        if (plan.Pinning.ClientCores is { } cores)
        {
            CoreAffinity.BindProcess(cores);
        }

        ResultFiles? files = context.FilesFor(request.Output);
        return await RunCommand.ShowAsync(
            request,
            files,
            context,
            progress => new StandaloneClients(plan, chosen.Library, context.Catalog.FindWorkload(plan.Test)!, chosen.ClientLibrary)
            {
                Progress = progress,
                Fitness = chosen.Fitness,
            }.RunAsync(cancellationToken)).ConfigureAwait(false);
    }
}
