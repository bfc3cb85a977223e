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
using NetCoreNetworkBenchmark.Running.Suites;

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
        IReadOnlyList<CheckedPlan> all =
            await CheckedPlan.AllOfAsync(WithFirstClients(), context.Catalog, context.Notify, cancellationToken).ConfigureAwait(false);
        string command = CommandOf(all);
        ResultFiles? files = context.FilesFor(request, all.Count == 1 ? ResultKind.Sweep : ResultKind.Sweeps);
        using SearchJournal? journal =
            context.OpenSearchJournal(request, files, command, [.. all.Select(chosen => (chosen.Plan, chosen.Info))], all[0].Fitness!);
        context.Warn(request, all[0].Fitness!);
        var searches = new Stack<LimitSearch>();
        TimeSpan left = TimeSpan.Zero;
        foreach ((int index, CheckedPlan chosen) in all.Index().Reverse())
        {
            searches.Push(SearchOf(chosen, all.Count == 1 ? null : index, journal, left));
            left += searches.Peek().Forecast.Left;
        }

        context.Notify($"Searching: at most {Format.Count(searches.Sum(search => search.Forecast.MaxSteps), "step")}, at most {Format.Clock(left)}.");
        var results = new List<SweepResult>();
        foreach (LimitSearch search in searches)
        {
            if (!cancellationToken.IsCancellationRequested)
            {
                results.Add(await search.RunAsync(cancellationToken).ConfigureAwait(false));
            }
        }

        return Report(results, all.Count, command, files, journal);
    }

    private int Report(List<SweepResult> results, int planned, string command, ResultFiles? files, SearchJournal? journal)
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
        return context.Report(whole, request, files, isGood, journal, isAborted);
    }

    private CliRequest WithFirstClients() => IsOverClients
        ? request.WithPlans(plan => SweptClients.FirstOf(plan, context.Catalog.FindWorkload(plan.Test)!, RatePerClient))
        : request;

    private string CommandOf(params IReadOnlyList<CheckedPlan> all) => PlanArguments.CommandOfSweep(
        [.. all.Select(chosen => (chosen.Plan, chosen.Info, chosen.Workload))], request.Sweep, RatePerClient);

    /// <param name="index">The number of the library from 0; null if it is the only one.</param>
    private LimitSearch SearchOf(CheckedPlan chosen, int? index, SearchJournal? journal, TimeSpan maxTimeAfter)
    {
        (RunPlan template, LibraryInfo library) = (chosen.Plan, chosen.Info);
        SweptVariable variable = IsOverClients
            ? new SweptClients(template, chosen.Workload, CapacityBound.Find(requested: null, library), RatePerClient)
            : new SweptRate(template);
        string Name(double value) => $"{(index is null ? string.Empty : $"{library.Name}, ")}{variable.Describe(value)}";
        return new LimitSearch(template, library, variable)
        {
            Command = CommandOf(chosen),
            Earlier = value => journal?.Find(value, index),
            StartedAt = index is null ? journal?.Begin.StartedAt : null,
            Run = (plan, token) => MeasureAsync(chosen, plan, Name(IsOverClients ? plan.Clients : plan.Rate!.Value), token),
            Finished = (step, forecast) =>
            {
                journal?.Save(step, index);
                context.Notify($"{Name(step.Value)}: {(step.Holds ? "holds" : step.Reason)} ({SearchProgress.Describe(forecast, maxTimeAfter)})");
            },
        };
    }

    private async Task<RunResult> MeasureAsync(CheckedPlan chosen, RunPlan plan, string name, CancellationToken token)
    {
        var run = new Run(plan, chosen.Info, chosen.Workload, Placement.InFreshProcesses(plan))
        {
            Progress = context.LiveFor(request) + context.PhaseLinesFor(request, name),
            HasLiveFigures = request.Live,
        };
        RunResult result = await run.RunAsync(token).ConfigureAwait(false);
        if (!result.Valid || !plan.HasLimit(LimitKind.Wire))
        {
            return result;
        }

        CountedPackets counted = await _packets.CountAsync(
            new SuiteCase(plan.Test, plan, chosen.Info, chosen.Workload, Launches: 1), pool: null, token).ConfigureAwait(false);
        token.ThrowIfCancellationRequested();
        return counted.Wire is { } wire ? result with { Wire = wire }
            : throw new BenchmarkException($"The packets on the wire were not counted. {counted.Reason}");
    }
}
