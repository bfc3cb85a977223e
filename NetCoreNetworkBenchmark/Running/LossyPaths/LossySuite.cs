using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Running.LossyPaths;

/// <summary>
/// The cases of the benchmark under loss, each over the path of its loss (<see cref="LossyPath"/>). On a machine without such paths, only datagrams are left,
/// whose losses the relay of <see cref="ImpairmentPlan"/> makes.
/// </summary>
internal sealed class LossySuite : IAsyncDisposable
{
    private readonly Dictionary<ImpairmentPlan, LossyPath> _paths = [];

    private LossySuite(IReadOnlyList<SuiteCase> cases) => Cases = cases;

    /// <summary>The cases that this machine can run.</summary>
    public IReadOnlyList<SuiteCase> Cases { get; private set; }

    /// <summary>The reason why this machine has no such paths, as a clause; null if it has them.</summary>
    public string? Reason { get; private set; }

    /// <summary>Makes the paths, and removes those that a killed run left behind.</summary>
    /// <param name="cases">All cases of the benchmark.</param>
    /// <param name="cancellationToken">Ends it early. Nothing is left then.</param>
    public static async Task<LossySuite> OpenAsync(IReadOnlyList<SuiteCase> cases, CancellationToken cancellationToken)
    {
        var suite = new LossySuite(cases);
        try
        {
            suite.Reason = LossyPath.FindMissing();
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

        suite.Cases = suite.Reason is null ? cases : [.. cases.Where(found => !found.Plan.Protocol.IsOverTcp())];
        return suite;
    }

    /// <summary>Measures one launch in fresh processes at the two ends of the case's path.</summary>
    /// <param name="found">The case.</param>
    /// <param name="progress">Called now and then with the progress of the launch.</param>
    /// <param name="cancellationToken">Ends the launch early.</param>
    /// <exception cref="BenchmarkException">The launch could not start or broke off, or the path broke.</exception>
    public async Task<RunResult> MeasureAsync(SuiteCase found, Action<RunProgress>? progress, CancellationToken cancellationToken)
    {
        if (!_paths.TryGetValue(found.Plan.Impairment, out LossyPath? path))
        {
            return await RunAsync(found, found.Plan, progress, cancellationToken).ConfigureAwait(false);
        }

        PathCounts before = await path.CountAsync(cancellationToken).ConfigureAwait(false);
        RunPlan plan = found.Plan with { Impairment = new ImpairmentPlan(), Hosts = path.Hosts };
        RunResult result = await RunAsync(found, plan, progress, cancellationToken).ConfigureAwait(false);
        PathCounts after = await path.CountAsync(CancellationToken.None).ConfigureAwait(false);
        return result with
        {
            // The random numbers of the kernel have no seed.
            Impairment = new ImpairmentResult(
                ImpairmentOptions.Of(found.Plan.Impairment).Where(asked => asked.Key != ImpairmentOptions.SeedName).ToDictionary(),
                after.Since(before, plan.Clients)),

            // One run by itself has only the relay, which loses datagrams alone.
            Command = PlanArguments.CommandOf(
                plan.Protocol.IsOverTcp() ? found.Plan with { Impairment = found.Plan.Impairment.ForStreams } : found.Plan, found.Library, found.Workload),
        };
    }

    public async ValueTask DisposeAsync()
    {
        foreach (LossyPath path in _paths.Values)
        {
            await path.DisposeAsync().ConfigureAwait(false);
        }

        _paths.Clear();
    }

    private static Task<RunResult> RunAsync(SuiteCase found, RunPlan plan, Action<RunProgress>? progress, CancellationToken cancellationToken) =>
        new Run(plan, found.Library, found.Workload, Placement.InFreshProcesses(plan)) { Progress = progress }.RunAsync(cancellationToken);

    private async Task AddPathsAsync(CancellationToken cancellationToken)
    {
        foreach (HostNamespace abandoned in HostNamespace.Abandoned())
        {
            await abandoned.RemoveAsync().ConfigureAwait(false);
        }

        foreach (ImpairmentPlan impairment in Cases.Select(found => found.Plan.Impairment).Distinct())
        {
            string name = FormattableString.Invariant($"path{_paths.Count + 1}");
            _paths.Add(
                impairment, await LossyPath.OpenAsync(name, impairment.Loss, impairment.Delay, cancellationToken).ConfigureAwait(false));
        }
    }
}
