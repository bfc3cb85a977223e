using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Interleaving;

/// <summary>Measures the cases of a set in alternating slices. Their processes are alive together.</summary>
internal sealed class SetRunner(InterleavingMethod method) : IStepRunner
{
    private readonly Random _random = new(method.Seed);
    private readonly HashSet<SuiteCase> _counted = [];
    private AgentPool? _pool;
    private int _setOfPool;

    /// <summary>Whether the processes of a case are used again by its other steps with the same number.</summary>
    public bool SharesProcesses { get; init; } = true;

    /// <summary>After the first set of a case; null to count none.</summary>
    public PacketCount? Packets { get; init; }
    public Action<RunProgress>? Progress { get; init; }

    public async Task<Measurement> MeasureAsync(Step step, CancellationToken cancellationToken)
    {
        await OpenPoolAsync(step);
        long start = Stopwatch.GetTimestamp();
        Measurement measurement = await MeasureSetAsync(step, cancellationToken);
        TimeSpan duration = Stopwatch.GetElapsedTime(start);
        return measurement with
        {
            Launches = step.Number == 1 ? await CountAsync(measurement.Launches, cancellationToken) : measurement.Launches,
            Duration = duration,
        };
    }

    public ValueTask DisposeAsync() => _pool?.DisposeAsync() ?? ValueTask.CompletedTask;

    private async Task OpenPoolAsync(Step step)
    {
        if (SharesProcesses && _setOfPool != step.Number)
        {
            await DisposeAsync();
            (_pool, _setOfPool) = (new AgentPool(), step.Number);
        }

        if (_pool is not null)
        {
            await _pool.KeepAsync([.. step.Cases.Select(suiteCase => suiteCase.Plan)]);
        }
    }

    private async Task<Measurement> MeasureSetAsync(Step step, CancellationToken cancellationToken)
    {
        try
        {
            TimeSpan time = SetTimes.OfSlices(step.Cases);

            // All servers of a set show the same certificate: keys are slow to make, and no library has a better one than another.
            RunCredentials? credentials = RunCredentials.For(step.Cases[0].Plan);
            var set = new InterleavedSet(
                [.. step.Cases.Select(suiteCase => (suiteCase, Place(suiteCase, credentials)))],
                TimeSpan.FromSeconds(method.SliceSeconds),
                TimeSpan.FromSeconds(method.SettleSeconds),
                method.Rounds ?? int.MaxValue,
                _random)
            {
                Time = method.Rounds is null ? time : TimeSpan.MaxValue,
                Starting = round => Progress?.Invoke(new RunProgress(round == 0 ? RunPhase.WarmUp : RunPhase.Measure, TimeSpan.Zero, time, 0)),
            };
            IReadOnlyList<InterleavedOutcome> outcomes = await set.RunAsync(cancellationToken);
            return new Measurement(LaunchesOf(step, outcomes)) { Parts = set.Parts };
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The set had not begun to measure.
            return new Measurement([]);
        }
        catch (Exception exception)
        {
            // What no case of this benchmark can do here, such as make certificates, is no reason to end the others.
            return new Measurement([.. step.Cases.Select(suiteCase => new CaseLaunch(suiteCase, new LaunchResult(step.Number, null, exception.Message)))]);
        }
    }

    private Func<RunPlan, ParticipantGroup> Place(SuiteCase suiteCase, RunCredentials? credentials) => plan => Placement.InFreshProcesses(
        suiteCase.WithAdapter(plan), suiteCase.Build, plan.Protocol.HasTls() ? credentials : null, _pool);

    internal static IReadOnlyList<CaseLaunch> LaunchesOf(Step step, IReadOnlyList<InterleavedOutcome> outcomes)
    {
        BaselineFigures? baseline = outcomes.First(outcome => outcome.Case == step.Baseline).Result is { Valid: true, MessagesPerSecond: > 0 } result
            ? new BaselineFigures(result.MessagesPerSecond, result.Costs.Server?.CpuMicrosecondsPerMessage)
            : null;
        return
        [
            .. outcomes.Where(outcome => outcome is not { Result: null, Failure: null })
                .Select(outcome => new CaseLaunch(outcome.Case, outcome.ToLaunch(step.Number) with { Baseline = baseline })),
        ];
    }

    // Nothing of the set is timed any more, and its processes are idle.
    private async Task<IReadOnlyList<CaseLaunch>> CountAsync(IReadOnlyList<CaseLaunch> launches, CancellationToken cancellationToken)
    {
        var withCounts = new List<CaseLaunch>();
        foreach (CaseLaunch measured in launches)
        {
            bool counts = Packets is not null && measured.Launch.Result is not null
                && !cancellationToken.IsCancellationRequested && _counted.Add(measured.Case);
            withCounts.Add(!counts
                ? measured
                : measured with { Launch = await Packets!.AddToAsync(measured.Launch, measured.Case, _pool, cancellationToken) });
        }

        return withCounts;
    }
}
