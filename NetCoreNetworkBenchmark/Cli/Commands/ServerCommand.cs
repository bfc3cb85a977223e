using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Runs the server alone, until the user ends it.</summary>
internal static class ServerCommand
{
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        (RunPlan plan, INetworkBenchmark library) = (chosen.Plan, chosen.Library);
        PlanCheck.CheckAlone(request, library.Info);
        if (plan.Pinning.ServerCores is { } cores)
        {
            CoreAffinity.BindProcess(cores);
        }

        ResultFiles? files = context.FilesFor(request.Output);
        var server = new StandaloneServer(plan, library, chosen.Workload)
        {
            Fitness = chosen.Fitness,
            Ready = (endPoint, greetings) => context.Errors.WriteLine(
                $"{library.Info.Name} server at {endPoint}; greetings come over TCP on " +
                    $"{(greetings.Port == endPoint.Port ? "the same port" : FormattableString.Invariant($"port {greetings.Port}"))}. " +
                    "Ctrl+C ends it and prints its side of the result."),
            Told = context.Errors.WriteLine,
        };
        ServerResult result = await server.RunAsync(cancellationToken).ConfigureAwait(false);
        context.Print(result, request.Json);
        files?.Write(result);
        return ExitCode.Success;
    }
}
