using NetCoreNetworkBenchmark.Cli.Checks;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Progress;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Searches;
using NetCoreNetworkBenchmark.Running.Sessions;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Finds the highest rate, or number of clients, at which all limits hold.</summary>
internal sealed class SweepCommand(CliRequest request, CommandContext context, CancellationToken cancellationToken)
{
    private readonly PacketCount _packets = new(PacketCount.Length);

    private bool IsOverClients => request.Sweep == SweepVariable.Clients;

    // The rate of all clients was read with the default number of clients.
    private double? RatePerClient => IsOverClients && request.IsGiven(LoadOptions.RatePerClientName)
        ? (double)((decimal)request.Plan.Rate!.Value / request.Plan.Clients)
        : null;

    public async Task<int> RunAsync()
    {
        IReadOnlyList<CheckedPlan> all = await CheckedPlan.AllOfAsync(WithFirstClients(), context.Catalog, context.Notify, cancellationToken);
        string command = CommandOf(all);
        ResultFiles? files = context.FilesFor(request, all.Count == 1 ? ResultKind.Sweep : ResultKind.Sweeps);
        var begin = new SessionBegin(DateTimeOffset.UtcNow, all[0].Fitness!);
        using SessionLog? log = context.OpenLog(request, files, command, [.. all.Select(CaseOf)], begin);
        context.Warn(request, begin.Fitness);
        var searches = new Stack<LimitSearch>();
        TimeSpan left = TimeSpan.Zero;
        foreach (CheckedPlan chosen in all.Reverse())
        {
            searches.Push(SearchOf(chosen, all.Count == 1 ? log?.Begin.StartedAt : null, all.Count == 1 ? string.Empty : $"{chosen.Info.Name}, ", left));
            left += searches.Peek().Forecast.Left;
        }

        context.Notify($"Searching: at most {Plural.Format(searches.Sum(search => search.Forecast.MaxSteps), "step")}, at most {Format.Clock(left)}.");
        var results = new List<SweepResult>();
        foreach (LimitSearch search in searches)
        {
            if (!cancellationToken.IsCancellationRequested)
            {
                var runner = new LaunchRunner { Measure = (suiteCase, _, token) => MeasureAsync(suiteCase, token), EndsSession = search.EndsWith };
                await new Session(search, runner, log).RunAsync(cancellationToken);
                results.Add(search.ResultOf(cancellationToken.IsCancellationRequested));
            }
        }

        return Report(results, all.Count, command, files, log);
    }

    private int Report(List<SweepResult> results, int planned, string command, ResultFiles? files, SessionLog? log)
    {
        bool isAborted = results.Count < planned || results.Any(result => result.Aborted);
        Result whole = planned == 1 && results is [var only] ? only : new SweepsResult
        {
            HarnessVersion = ResultBuilder.HarnessVersion,
            Sweeps = results,
            Aborted = isAborted,
            Environment = MachineInspector.Inspect(),
            Command = command,
        };
        bool isGood = !isAborted && results.All(result => result is { Highest: not null, IsUndecided: false });
        return context.Report(whole, request, files, isGood, log, isAborted);
    }

    private CliRequest WithFirstClients() => IsOverClients
        ? request.WithPlans(plan => SweptClients.FirstOf(plan, context.Catalog.FindWorkload(plan.Test)!, RatePerClient))
        : request;

    private string CommandOf(params IReadOnlyList<CheckedPlan> all) => PlanArguments.CommandOfSweep(
        [.. all.Select(chosen => (chosen.Plan, chosen.Info, chosen.Workload))], request.Sweep, RatePerClient);

    private static SuiteCase CaseOf(CheckedPlan chosen) => new(chosen.Plan.Test, chosen.Plan, chosen.Info, chosen.Workload, Launches: 1);

    /// <param name="subject">Begins the lines of one of several searches.</param>
    private LimitSearch SearchOf(CheckedPlan chosen, DateTimeOffset? startedAt, string subject, TimeSpan maxTimeAfter)
    {
        SweptVariable variable = IsOverClients
            ? new SweptClients(chosen.Plan, chosen.Workload, CapacityBound.Find(requested: null, chosen.Info), RatePerClient)
            : new SweptRate(chosen.Plan);
        return new LimitSearch(CaseOf(chosen), variable)
        {
            Command = CommandOf(chosen),
            StartedAt = startedAt,
            Finished = (step, forecast) => context.Notify(
                $"{subject}{variable.Describe(step.Value)}: {(step.Holds ? "holds" : step.Reason)} ({SearchProgress.Describe(forecast, maxTimeAfter)})"),
        };
    }

    private async Task<RunResult> MeasureAsync(SuiteCase suiteCase, CancellationToken token)
    {
        RunPlan plan = suiteCase.Plan;
        string name = request.Plans.Count > 1 ? $"{suiteCase.Library.Name}, {suiteCase.Title}" : suiteCase.Title;
        var run = new Run(plan, suiteCase.Library, suiteCase.Workload, Placement.InFreshProcesses(plan))
        {
            Progress = context.LiveFor(request) + context.PhaseLinesFor(request, name),
            HasLiveFigures = request.Live,
        };
        RunResult result = await run.RunAsync(token);
        if (!result.Valid || !plan.HasLimit(LimitKind.Wire))
        {
            return result;
        }

        CountedPackets counted = await _packets.CountAsync(suiteCase, pool: null, token);
        token.ThrowIfCancellationRequested();
        return counted.Wire is { } wire ? result with { Wire = wire }
            : throw new BenchmarkException($"The packets on the wire were not counted. {counted.Reason}");
    }
}
