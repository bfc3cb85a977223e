namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>The strategy of cases that are known before the first step.</summary>
internal abstract class SuiteStrategy(IReadOnlyList<SuiteCase> cases) : IStrategy
{
    private readonly Dictionary<SuiteCase, List<LaunchResult>> _launches = cases.ToDictionary(suiteCase => suiteCase, _ => new List<LaunchResult>());

    public IReadOnlyList<SuiteCase> Cases => cases;

    /// <summary>Null if the cases are measured one after the other.</summary>
    public virtual InterleavingMethod? Interleaving => null;

    public IReadOnlyList<LaunchResult> LaunchesOf(SuiteCase suiteCase) => _launches[suiteCase];

    /// <returns>Null if the cases are measured one after the other.</returns>
    public virtual SuiteCase? BaselineOf(IReadOnlyList<SuiteCase> benchmark) => null;

    /// <returns>Null if the cases are measured one after the other.</returns>
    public virtual Decision? DecisionOf(IReadOnlyList<SuiteCase> benchmark) => null;

    public abstract Step? Next();

    public abstract Step Add(Step step, Measurement measurement);

    /// <summary>The baseline may take part in several steps of a set. Its figures are those of the first.</summary>
    protected IReadOnlyList<CaseLaunch> Keep(IReadOnlyList<CaseLaunch> launches)
    {
        CaseLaunch[] added = [.. launches.Where(launch => _launches[launch.Case].All(earlier => earlier.Number != launch.Launch.Number))];
        foreach (CaseLaunch launch in added)
        {
            _launches[launch.Case].Add(launch.Launch);
        }

        return added;
    }
}
