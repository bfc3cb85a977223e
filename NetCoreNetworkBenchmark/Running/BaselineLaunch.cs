using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Measures the raw sockets in a fresh process, like every other measurement.</summary>
internal static class BaselineLaunch
{
    /// <returns>Round trips per second.</returns>
    /// <exception cref="BenchmarkException">The process broke down or did not answer before its deadline.</exception>
    public static async Task<double> RunAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        var process = new AgentProcess(AgentRole.Control);
        await using (process.ConfigureAwait(false))
        {
            var plan = new RunPlan { Library = string.Empty, Duration = duration };
            await process.GreetAsync(plan, null, null, cancellationToken).ConfigureAwait(false);
            return (await process.ResultAsync(Deadlines.OfRun(plan), cancellationToken).ConfigureAwait(false)).Control!.Value;
        }
    }
}
