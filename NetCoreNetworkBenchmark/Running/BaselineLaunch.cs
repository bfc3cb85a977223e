using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Measures the raw sockets in a fresh process, like every other measurement.</summary>
internal static class BaselineLaunch
{
    /// <returns>Round trips per second.</returns>
    public static async Task<double> RunAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        await using var agents = new AgentGroup(cancellationToken);
        var plan = new RunPlan { Library = string.Empty, Duration = duration };
        AgentProcess control = agents.Add(new AgentProcess(AgentRole.Control));
        await agents.GreetAsync(control, plan, null, Deadlines.Process).ConfigureAwait(false);
        await agents.UnlessBrokenAsync(control.Result, Deadlines.OfRun(plan), cancellationToken).ConfigureAwait(false);
        ResultFrame result = await control.Result.ConfigureAwait(false);
        return result.Control!.Value;
    }
}
