using NetCoreNetworkBenchmark.Running.Machine.Facts;

namespace NetCoreNetworkBenchmark.Running.Sessions;

/// <summary>A session that continues a log has the begin of the first one.</summary>
internal sealed record SessionBegin(DateTimeOffset StartedAt, Fitness Fitness)
{
    public static SessionBegin Now(IReadOnlyList<SuiteCase> cases) =>
        new(DateTimeOffset.UtcNow, FitnessInspector.Inspect(FitnessInspector.LargestOf(cases.Select(suiteCase => suiteCase.Plan))));
}
