using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>One plan from its start to its result, measured in one piece.</summary>
/// <param name="library">The server's library, as driven by the clients' library.</param>
/// <param name="participants">They end with the run, or at once if it cannot start.</param>
internal sealed class Run(RunPlan plan, LibraryInfo library, IWorkload workload, ParticipantGroup participants)
{
    public Fitness? Fitness { get; init; }
    public Action<RunProgress>? Progress { get; init; }

    public bool HasLiveFigures { get; init; }

    /// <param name="cancellationToken">Ends the current phase. The figures so far are kept, and the result is marked as aborted.</param>
    /// <exception cref="OperationCanceledException">The run was cancelled before anything was measured.</exception>
    /// <exception cref="BenchmarkException">A participant could not start, or failed. All participants have ended.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        var run = new OpenRun(plan, library, workload, participants) { Fitness = Fitness, Progress = Progress, HasLiveFigures = HasLiveFigures };
        await run.StartAsync(cancellationToken);
        RunResult result;
        try
        {
            result = ResultBuilder.Build(await run.StopAsync(await LoadAsync(run, cancellationToken)));
        }
        catch
        {
            await run.EndAfterFaultAsync();
            throw;
        }

        try
        {
            await run.DisposeAsync();
            return result;
        }
        catch (Exception exception)
        {
            // What was measured is kept.
            return result with { Verdict = result.Verdict with { Faults = [.. result.Verdict.Faults, ParticipantGroup.NotEnded(exception)] } };
        }
    }

    // If the user ends the run, or one of several hosts fails, the figures so far are kept.
    private async Task<LoadReports> LoadAsync(OpenRun run, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task<ClientReport>[] loads = [.. participants.LoadGenerators.Select(generator => generator.LoadAsync(stop.Token))];
        try
        {
            ClientReport[] reports = await run.OfAllAsync("The load", loads, Deadlines.ForLoad(plan));
            return LoadReports.From([.. reports.Zip(participants.LoadGenerators)]);
        }
        catch (BenchmarkException exception) when (!plan.Hosts.IsNone)
        {
            await stop.CancelAsync();
            LoadReports others = await KeepFiguresOfOthersAsync(loads, exception.Message);
            if (others.Clients.All(report => report.DurationSeconds == 0))
            {
                throw;
            }

            return others;
        }
    }

    private async Task<LoadReports> KeepFiguresOfOthersAsync(Task<ClientReport>[] loads, string fault)
    {
        await ((Task)Task.WhenAll(loads)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return LoadReports.From(
            [
                .. loads.Zip(participants.LoadGenerators).Where(pair => pair.First.IsCompletedSuccessfully)
                    .Select(pair => (pair.First.Result, pair.Second)),
            ]) with
        {
            Fault = fault,
            Missing =
            [
                .. from pair in loads.Zip(plan.Hosts.PartsOf(plan.Clients))
                   where !pair.First.IsCompletedSuccessfully
                   select new MissingHost(pair.Second.Host, pair.Second.Clients, pair.First.Exception?.GetBaseException().Message ?? fault),
            ],
        };
    }
}
