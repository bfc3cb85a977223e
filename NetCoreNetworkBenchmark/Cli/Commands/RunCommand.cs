using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Roles;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal static class RunCommand
{
    /// <summary>Runs both sides: in this process, or in separate processes if the traffic is impaired or the sides are bound to cores.</summary>
    public static async Task<int> RunAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        RunPlan plan = chosen.Plan;
        if (request.Versions is not null || request.RuntimeVariants.Count > 1)
        {
            return await SuiteCommand.CompareVariantsAsync(request, chosen, context, cancellationToken).ConfigureAwait(false);
        }

        if (request.Launches is not null)
        {
            return await SuiteCommand.RunLaunchesAsync(request, chosen, context, cancellationToken).ConfigureAwait(false);
        }

        return await ShowAsync(
            request,
            context.FilesFor(request, ResultKind.Run),
            context,
            progress => RunOf(
                chosen,
                Placement.NeedsProcesses(plan)
                    ? Placement.InFreshProcesses(plan)
                    : Placement.InThisProcess(plan, chosen.Library, chosen.Workload, chosen.ClientLibrary),
                progress).RunAsync(cancellationToken)).ConfigureAwait(false);
    }

    public static async Task<int> RunClientsAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await ChooseSideAsync(request, context, plan => plan.ClientCores, cancellationToken).ConfigureAwait(false);
        return await ShowAsync(
            request,
            context.FilesFor(request, ResultKind.Run),
            context,
            async progress =>
            {
                ParticipantGroup participants = await Placement.AtServerAsync(
                    chosen.Plan, chosen.Library, chosen.Workload, chosen.ClientLibrary, cancellationToken).ConfigureAwait(false);
                return await RunOf(chosen, participants, progress).RunAsync(cancellationToken).ConfigureAwait(false);
            }).ConfigureAwait(false);
    }

    public static async Task<int> RunServerAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await ChooseSideAsync(request, context, plan => plan.ServerCores, cancellationToken).ConfigureAwait(false);
        ResultFiles? files = context.FilesFor(request, ResultKind.Server);
        var server = new StandaloneServer(chosen.Plan, chosen.Library, chosen.Workload)
        {
            Fitness = chosen.Fitness,
            Listening = endPoint => context.Errors.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{chosen.Library.Info.Name} server at {endPoint}; serves {chosen.Plan.Test} over {chosen.Plan.Protocol} with messages of " +
                        $"{chosen.Plan.MessageSize:N0} bytes for {chosen.Plan.Clients:N0} clients. Ctrl+C ends it and prints its cost.")),
        };
        return context.Report(await server.RunAsync(cancellationToken).ConfigureAwait(false), request, files, isGood: true);
    }

    public static async Task<int> ShowAsync(
        CliRequest request, ResultFiles? files, CommandContext context, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        // If standard error is redirected, Spectre is not loaded, so that the first message does not have to wait for it.
        Action<RunProgress>? lines = request.Verbose ? new PhaseLines(context.Errors.WriteLine, "Run").Report : null;
        RunResult result = await (context.ErrorsAreRedirected ? run(lines) : ShowLiveAsync(context, lines, run)).ConfigureAwait(false);
        context.Print(result, request.Json);
        context.KeepUnwritten(result, files);

        // A page has them already. JSON is for programs, and a person reads the other output then.
        await context.NotifyAsync("Note", request.Json ? result.Remarks : []).ConfigureAwait(false);
        await context.NotifyAsync("Invalid", result.InvalidReasons).ConfigureAwait(false);
        files?.Write(result);
        return result.Valid ? ExitCode.Success : ExitCode.Failed;
    }

    private static async Task<ChosenLibraries> ChooseSideAsync(
        CliRequest request, CommandContext context, Func<PinningPlan, IReadOnlyList<int>?> coresOf, CancellationToken cancellationToken)
    {
        ChosenLibraries chosen = await context.ChooseLibraryAsync(request, cancellationToken).ConfigureAwait(false);
        PlanCheck.CheckAlone(request, chosen.Workload);
        if (coresOf(chosen.Plan.Pinning) is { } cores)
        {
            CoreAffinity.BindProcess(cores);
        }

        return chosen;
    }

    private static Run RunOf(ChosenLibraries chosen, ParticipantGroup participants, Action<RunProgress>? progress) =>
        new(chosen.Plan, chosen.Info, chosen.Workload, participants) { Progress = progress, Fitness = chosen.Fitness };

    // A live line on a terminal; otherwise, the lines of the phases. Only this method uses Spectre, so that it is loaded when this is called.
    private static Task<RunResult> ShowLiveAsync(CommandContext context, Action<RunProgress>? lines, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        IAnsiConsole console = context.ErrorConsole;
        return console.Profile.Capabilities.Interactive && console.Profile.Out.IsTerminal
            ? console.Status().StartAsync("starting", live => run(progress => live.Status(Line(progress))))
            : run(lines);
    }

    private static string Line(RunProgress progress)
    {
        string phase = PhaseLines.NameOf(progress.Phase);
        return progress.PhaseLength is { } length
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"{phase}, {(length - progress.PhaseElapsed).TotalSeconds:0} s left, {progress.MessagesPerSecond:N0} msg/s")
            : phase;
    }
}
