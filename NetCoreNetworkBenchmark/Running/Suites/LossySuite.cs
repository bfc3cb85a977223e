using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Running.Sides;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>On a machine without <see cref="NamespacePath"/>, only datagrams are left, whose losses the relay of <see cref="ImpairmentPlan"/> makes.</summary>
internal sealed class LossySuite : IAsyncDisposable
{
    private readonly Dictionary<ImpairmentPlan, NamespacePath> _paths = [];

    private LossySuite(IReadOnlyList<SuiteCase> cases) => Cases = cases;

    public IReadOnlyList<SuiteCase> Cases { get; private set; }

    /// <summary>The reason why this machine has no such paths, as a clause; null if it has them.</summary>
    public string? Reason { get; private set; }

    /// <param name="cancellationToken">Ends it early. Nothing is left then.</param>
    public static async Task<LossySuite> OpenAsync(IReadOnlyList<SuiteCase> cases, CancellationToken cancellationToken)
    {
        var suite = new LossySuite(cases);
        try
        {
            suite.Reason = NamespacePath.FindMissing(loses: true);
            if (suite.Reason is null)
            {
                await suite.AddPathsAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        catch (BenchmarkException exception)
        {
            // Such as a container, whose root may not make a namespace.
            suite.Reason = exception.Message.TrimEnd('.');
            await suite.DisposeAsync().ConfigureAwait(false);
        }
        catch
        {
            await suite.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        suite.Cases = suite.Reason is null ? cases : [.. cases.Where(suiteCase => !suiteCase.Plan.Protocol.IsOverTcp())];
        return suite;
    }

    public async Task<RunResult> MeasureAsync(SuiteCase suiteCase, Action<RunProgress>? progress, CancellationToken cancellationToken)
    {
        if (!_paths.TryGetValue(suiteCase.Plan.Impairment, out NamespacePath? path))
        {
            return await RunAsync(suiteCase, suiteCase.Plan, progress, cancellationToken).ConfigureAwait(false);
        }

        PathCounts before = await path.CountAsync(cancellationToken).ConfigureAwait(false);
        RunResult result = await RunAsync(suiteCase, path.PlanOf(suiteCase.Plan), progress, cancellationToken).ConfigureAwait(false);
        PathCounts after = await path.CountAsync(CancellationToken.None).ConfigureAwait(false);
        return result with
        {
            // The random numbers of the kernel have no seed.
            Plan = suiteCase.Plan with { Impairment = suiteCase.Plan.Impairment with { Seed = null } },
            Relay = new RelayReport(after.Since(before, suiteCase.Plan.Clients), []),

            // One run by itself has only the relay, which loses datagrams alone.
            Command = PlanArguments.CommandOf(
                suiteCase.Plan.Protocol.IsOverTcp() ? suiteCase.Plan with { Impairment = suiteCase.Plan.Impairment.ForStreams } : suiteCase.Plan,
                suiteCase.Library,
                suiteCase.Workload),
        };
    }

    public async ValueTask DisposeAsync()
    {
        foreach (NamespacePath path in _paths.Values)
        {
            await path.DisposeAsync().ConfigureAwait(false);
        }

        _paths.Clear();
    }

    private static Task<RunResult> RunAsync(SuiteCase suiteCase, RunPlan plan, Action<RunProgress>? progress, CancellationToken cancellationToken) =>
        new Run(plan, suiteCase.Library, suiteCase.Workload, Placement.InFreshProcesses(plan)) { Progress = progress }.RunAsync(cancellationToken);

    private async Task AddPathsAsync(CancellationToken cancellationToken)
    {
        foreach (ImpairmentPlan impairment in Cases.Select(suiteCase => suiteCase.Plan.Impairment).Distinct())
        {
            string name = Invariant($"path{_paths.Count + 1}");
            _paths.Add(
                impairment, await NamespacePath.OpenAsync(name, impairment.Loss, impairment.Delay, cancellationToken).ConfigureAwait(false));
        }
    }
}
