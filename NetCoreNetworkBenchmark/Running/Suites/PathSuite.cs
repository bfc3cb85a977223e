using NetCoreNetworkBenchmark.Running.Coordination;
using NetCoreNetworkBenchmark.Running.Paths;
using NetCoreNetworkBenchmark.Running.Sessions;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>On a machine without <see cref="NamespacePath"/>, only datagrams are left, whose losses the relay of <see cref="ImpairmentPlan"/> makes.</summary>
internal sealed class PathSuite : IAsyncDisposable
{
    private readonly Dictionary<ImpairmentPlan, NamespacePath> _paths = [];

    private PathSuite(IReadOnlyList<SuiteCase> cases) => Cases = cases;

    public IReadOnlyList<SuiteCase> Cases { get; private set; }

    /// <summary>The reason why this machine has no such paths, as a clause; null if it has them.</summary>
    public string? Reason { get; private set; }

    public bool HasLiveFigures { get; set; }

    /// <param name="cancellationToken">Ends it early. Nothing is left then.</param>
    public static async Task<PathSuite> OpenAsync(IReadOnlyList<SuiteCase> cases, CancellationToken cancellationToken)
    {
        var suite = new PathSuite(cases);
        try
        {
            suite.Reason = NamespacePath.FindMissing();

            // The addresses of a path do not change.
            IEnumerable<ImpairmentPlan> impairments = suite.Reason is null ? cases.Select(suiteCase => suiteCase.Plan.Impairment) : [];
            foreach (ImpairmentPlan impairment in impairments.Where(plan => plan.Roam is null).Distinct())
            {
                suite._paths.Add(impairment, await NamespacePath.OpenAsync(impairment, cancellationToken));
            }
        }
        catch (BenchmarkException exception)
        {
            // Such as a container, whose root may not make a namespace.
            suite.Reason = exception.Message.TrimEnd('.');
            await suite.DisposeAsync();
        }
        catch
        {
            await suite.DisposeAsync();
            throw;
        }

        suite.Cases = suite.Reason is null ? cases : [.. cases.Where(suiteCase => !NamespacePath.IsRequired(suiteCase.Plan))];
        return suite;
    }

    public Task<RunResult> MeasureAsync(SuiteCase suiteCase, Action<RunProgress>? progress, CancellationToken cancellationToken)
    {
        Run Create(RunPlan plan, ParticipantGroup participants) =>
            new(plan, suiteCase.Library, suiteCase.Workload, participants) { Progress = progress, HasLiveFigures = HasLiveFigures };
        return _paths.TryGetValue(suiteCase.Plan.Impairment, out NamespacePath? path)
            ? path.MeasureAsync(suiteCase.Plan, suiteCase.Library, suiteCase.Workload, Create, cancellationToken)
            : Create(suiteCase.Plan, Placement.InFreshProcesses(suiteCase.Plan)).RunAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (NamespacePath path in _paths.Values)
        {
            await path.DisposeAsync();
        }

        _paths.Clear();
    }
}
