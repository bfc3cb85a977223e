using NetCoreNetworkBenchmark.Running.Searches;

namespace NetCoreNetworkBenchmark.Tests.Running.Searches;

/// <summary>Searches over runs with invented results.</summary>
internal static class SearchRuns
{
    public static Task RunAsync(this Search search, Func<RunPlan, RunResult> run, CancellationToken cancellationToken, SessionLog? log = null)
    {
        var runner = new LaunchRunner { Measure = (suiteCase, _, _) => Task.FromResult(run(suiteCase.Plan)), EndsSession = search.EndsWith };
        return new Session(search, runner, log).RunAsync(cancellationToken);
    }

    public static SuiteCase LoadOf(RunPlan plan, IWorkload? workload = null) =>
        new(plan.Test, plan, SampleLibrary.Info, workload ?? new PingPong(), Launches: 1);
}
