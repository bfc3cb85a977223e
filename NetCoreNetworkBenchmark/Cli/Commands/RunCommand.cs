using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Running.Searches;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

internal sealed class RunCommand(CliRequest request, CommandContext context, CancellationToken cancellationToken)
{
    public async Task<int> RunAsync()
    {
        var suite = new SuiteCommand(request, context, cancellationToken);
        if (request.IsComparison)
        {
            IReadOnlyList<CheckedPlan> all = await CheckedPlan.AllOfAsync(request, context.Catalog, context.Notify, cancellationToken);
            return await suite.CompareAsync(all);
        }

        CheckedPlan chosen = await CheckedPlan.OfAsync(request, context.Catalog, context.Notify, cancellationToken);
        RunPlan plan = chosen.Plan;

        if (request.Launches is { } launches)
        {
            return await suite.RunLaunchesAsync(chosen, launches);
        }

        ResultFiles? files = context.FilesFor(request, ResultKind.Run);
        context.Warn(request, chosen.Fitness!);
        if (NamespacePath.IsRequired(plan))
        {
            await using NamespacePath path = await NamespacePath.OpenAsync(plan.Impairment, cancellationToken);
            return await ShowAsync(files, progress => path.MeasureAsync(
                plan, chosen.Info, chosen.Workload, (here, sides) => Create(chosen with { Plan = here }, sides, progress), cancellationToken));
        }

        return await ShowAsync(files, progress => RunOf(
            chosen,
            Placement.NeedsProcesses(plan)
                ? Placement.InFreshProcesses(plan)
                : Placement.InThisProcess(plan, chosen.Library, chosen.Workload, chosen.ClientLibrary),
            progress));
    }

    public async Task<int> RunClientsAsync()
    {
        CheckedPlan chosen = await ChooseSideAsync(plan => plan.ClientCores);
        ResultFiles? files = context.FilesFor(request, ResultKind.Run);
        context.Warn(request, chosen.Fitness!);
        return await ShowAsync(files, async progress => await RunOf(
            chosen,
            await Placement.AtSeparateServerAsync(chosen.Plan, chosen.Library, chosen.Workload, chosen.ClientLibrary, cancellationToken),
            progress));
    }

    public async Task<int> RunServerAsync()
    {
        CheckedPlan chosen = await ChooseSideAsync(plan => plan.ServerCores);
        RunPlan plan = chosen.Plan;
        ResultFiles? files = context.FilesFor(request, ResultKind.Server);
        context.Warn(request, chosen.Fitness!);
        var server = new StandaloneServer(plan, chosen.Library, chosen.Workload)
        {
            Fitness = chosen.Fitness,
            Listening = endPoint => context.Notify(
                $"{chosen.Library.Info.Name} server at {endPoint}; serves {plan.Test} over {plan.Protocol.Name()} with messages of " +
                    Invariant($"{Format.SizeOf(plan)} for {Plural.Format(plan.Clients, "client")}. Ctrl+C ends it and prints its cost.")),
        };
        return context.Report(await server.RunAsync(cancellationToken), request, files, isGood: true);
    }

    public async Task<int> FindClientsAsync()
    {
        CheckedPlan chosen = CheckedPlan.OfLibraries(request, context.Catalog, context.Notify);
        (RunPlan plan, LibraryInfo library) = (chosen.Plan, chosen.Info);
        CapacityBound bound = CapacityBound.Find(request.MaxClients, library);
        RunPlan largest = plan with { Clients = bound.Clients };
        PlanCheck.CheckLimits(largest, library);
        PlanCheck.CheckServer(largest, chosen.Library.Info, context.Catalog);
        _ = await HostNames.ResolveAsync(plan, library, cancellationToken);
        Fitness fitness = await CheckedPlan.InspectAsync([largest], cancellationToken);
        ResultFiles? files = context.FilesFor(request, ResultKind.Capacity);
        var template = new SuiteCase(plan.Test, plan, library, chosen.Workload, Launches: 1);
        var begin = new SessionBegin(DateTimeOffset.UtcNow, fitness);
        using SessionLog? log =
            context.OpenLog(request, files, CapacitySearch.CommandOf(template, bound), [template with { Plan = largest }], begin);
        context.Warn(request, fitness);
        var search = new CapacitySearch(template, bound)
        {
            StartedAt = log?.Begin.StartedAt,
            Fitness = log?.Begin.Fitness ?? fitness,
            Finished = (step, forecast) =>
            {
                string outcome = !step.Holds ? step.Reason! : step.Value == 1 ? "holds" : "hold";
                context.Notify($"{Plural.Format((long)step.Value, "client")}: {outcome} ({SearchProgress.Describe(forecast)})");
            },
        };
        await new Session(search, new LaunchRunner { EndsSession = search.EndsWith }, log).RunAsync(cancellationToken);
        CapacityResult result = search.ResultOf(cancellationToken.IsCancellationRequested);
        bool isGood = result is { HighestClients: not null, Aborted: false, IsUndecided: false };
        return context.Report(result, request, files, isGood, log, result.Aborted);
    }

    // Lines of JSON and a line that is written over again would disturb each other.
    private bool HasLiveLine => !context.ErrorsAreRedirected && (!request.Live || request.LiveFile is not null);

    internal async Task<int> ShowAsync(ResultFiles? files, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        // If standard error is redirected, Spectre is not loaded, so that the first message does not have to wait for it.
        Action<RunProgress>? figures = context.LiveFor(request);
        RunResult result = await (HasLiveLine ? ShowLiveAsync(figures, run) : run(figures + context.PhaseLinesFor(request, "Run")));
        return context.Report(result, request, files, result.Valid);
    }

    private async Task<CheckedPlan> ChooseSideAsync(Func<PinningPlan, IReadOnlyList<int>?> coresOf)
    {
        CheckedPlan chosen = await CheckedPlan.OfAsync(request, context.Catalog, context.Notify, cancellationToken);
        PlanCheck.CheckOneSide(request, chosen.Workload);
        if (coresOf(chosen.Plan.Pinning) is { } cores)
        {
            CoreAffinity.BindProcess(cores);
        }

        return chosen;
    }

    private Task<RunResult> RunOf(CheckedPlan chosen, ParticipantGroup participants, Action<RunProgress>? progress) =>
        Create(chosen, participants, progress).RunAsync(cancellationToken);

    private Run Create(CheckedPlan chosen, ParticipantGroup participants, Action<RunProgress>? progress) =>
        new(chosen.Plan, chosen.Info, chosen.Workload, participants)
        {
            Progress = progress,
            HasLiveFigures = request.Live || HasLiveLine,
            Fitness = chosen.Fitness,
        };

    // A live line on a terminal; otherwise, the lines of the phases. Only this method uses Spectre, so that it is loaded when this is called.
    private Task<RunResult> ShowLiveAsync(Action<RunProgress>? figures, Func<Action<RunProgress>?, Task<RunResult>> run)
    {
        IAnsiConsole console = context.ErrorConsole;
        return SuiteProgress.IsLive(console)
            ? console.Status().StartAsync("starting", live => run(figures + (progress => live.Status(Line(progress)))))
            : run(figures + context.PhaseLinesFor(request, "Run"));
    }

    private static string Line(RunProgress progress) => PhaseLines.NameOf(progress.Phase) + (progress.PhaseLength is { } length
        ? Invariant($", {(length - progress.PhaseElapsed).TotalSeconds:0} s left, {progress.MessagesPerSecond:N0} msg/s{Describe(progress.Figures)}")
        : string.Empty);

    private static string Describe(LiveFigures? figures) => figures is null ? string.Empty : string.Concat(
    [
        figures.P99Microseconds is { } p99 ? $", p50 {Format.Time(figures.P50Microseconds)}, p99 {Format.Time(p99)}" : string.Empty,
        figures.InFlight is { } inFlight ? Invariant($", {inFlight:N0} in flight") : string.Empty,
        Invariant($", {figures.Lost:N0} lost"),
        figures.CoresOfBoth is { } both ? Invariant($", {both:0.0} cores") : string.Empty,
        figures.ClientCores is { } clients ? Invariant($", clients {clients:0.0} cores") : string.Empty,
        figures.ServerCores is { } server ? Invariant($", server {server:0.0} cores") : string.Empty,
    ]);
}
