using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine;
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
        IWorkload workload = chosen.Workload;
        return await RunCommand.ShowAsync(
            request,
            files,
            context,
            async progress =>
            {
                ParticipantGroup participants = await Placement.AtServerAsync(plan, chosen.Library, workload, chosen.ClientLibrary, cancellationToken)
                    .ConfigureAwait(false);
                var coordinator = new Coordinator(plan, chosen.Info, workload) { Progress = progress, Fitness = chosen.Fitness };
                return await coordinator.RunAsync(participants, cancellationToken).ConfigureAwait(false);
            }).ConfigureAwait(false);
    }
}
