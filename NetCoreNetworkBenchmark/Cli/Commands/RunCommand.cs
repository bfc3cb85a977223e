using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
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
            return await SuiteCommand.RunLaunchesAsync(request, plan, chosen.Info, chosen.Fitness, context, cancellationToken).ConfigureAwait(false);
        }

        ResultFiles? files = context.FilesFor(request.Output);
        IWorkload workload = context.Catalog.FindWorkload(plan.Test)!;
        return await ShowAsync(
            request,
            files,
            context,
            progress => plan.Impairment.IsNone && plan.Pinning.IsNone
                ? new Runner(plan, chosen.Library, workload, chosen.ClientLibrary) { Progress = progress, Fitness = chosen.Fitness }.RunAsync(cancellationToken)
                : new Launch(plan, chosen.Info) { Progress = progress, Fitness = chosen.Fitness }.RunAsync(cancellationToken)).ConfigureAwait(false);
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
