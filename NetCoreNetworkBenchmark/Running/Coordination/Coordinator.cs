using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>
/// Takes one plan through its phases: the server starts, the clients connect, warm up, measure and drain, and all participants end. It does not
/// depend on the places of the participants or on the number of drivers, and several coordinators may be active at a time.
/// </summary>
/// <param name="plan">The plan.</param>
/// <param name="library">The server's library, as driven by the clients' library.</param>
/// <param name="workload">The test of the plan.</param>
internal sealed class Coordinator(RunPlan plan, LibraryInfo library, IWorkload workload)
{
    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan, and ends the participants.</summary>
    /// <param name="participants">The participants of this run.</param>
    /// <param name="cancellationToken">Ends the current phase. The figures so far are kept, and the result is marked as aborted.</param>
    /// <exception cref="BenchmarkException">The run could not start or broke off.</exception>
    /// <exception cref="OperationCanceledException">The run was cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(ParticipantGroup participants, CancellationToken cancellationToken)
    {
        LiveRun run = await OpenAsync(participants, cancellationToken).ConfigureAwait(false);
        await using (run.ConfigureAwait(false))
        {
            await run.LoadAsync(cancellationToken).ConfigureAwait(false);
            return await run.FinishAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Starts the participants and connects the clients. The load has not begun yet.</summary>
    /// <param name="participants">The participants of this run. They end with the returned run, or at once if it cannot start.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="BenchmarkException">The run could not start.</exception>
    /// <exception cref="OperationCanceledException">The start was cancelled.</exception>
    public async Task<LiveRun> OpenAsync(ParticipantGroup participants, CancellationToken cancellationToken)
    {
        var run = new LiveRun(plan, library, workload, participants, Fitness ?? FitnessInspector.Inspect(plan), progress => Progress?.Invoke(progress));
        try
        {
            await run.ConnectAsync(cancellationToken).ConfigureAwait(false);
            return run;
        }
        catch
        {
            await run.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
