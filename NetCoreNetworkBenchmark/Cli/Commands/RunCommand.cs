using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>
/// Runs one plan once: in this process, or in separate processes if its traffic is impaired or its sides are bound to cores.
/// </summary>
internal static class RunCommand
{
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        RunPlan plan = chosen.Plan;
        if (request.Launches is not null)
        {
            return await SuiteCommand.RunLaunchesAsync(request, chosen, context, cancellationToken).ConfigureAwait(false);
        }

        ResultFiles? files = context.FilesFor(request.Output);
        IWorkload workload = chosen.Workload;
        return await ShowAsync(
            request,
            files,
            context,
            progress => new Coordinator(plan, chosen.Info, workload) { Progress = progress, Fitness = chosen.Fitness }.RunAsync(
                plan.Impairment.IsNone && plan.Pinning.IsNone
                    ? Placement.InThisProcess(plan, chosen.Library, workload, chosen.ClientLibrary)
                    : Placement.InFreshProcesses(plan, chosen.Info),
                cancellationToken)).ConfigureAwait(false);
    }

    /// <summary>Shows the progress of a run and its result.</summary>
    public static async Task<int> ShowAsync(
        CliRequest request, ResultFiles? files, CommandContext context, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        RunResult result = await RunProgressLine.ShowAsync(context, request.Verbose, run).ConfigureAwait(false);
        context.Print(result, request.Json);
        foreach (string remark in result.Remarks)
        {
            await context.SayAsync($"Note: {remark}").ConfigureAwait(false);
        }

        foreach (string reason in result.InvalidReasons)
        {
            await context.SayAsync($"Invalid: {reason}").ConfigureAwait(false);
        }

        files?.Write(result);
        return result.Valid ? ExitCode.Success : ExitCode.Failed;
    }
}
