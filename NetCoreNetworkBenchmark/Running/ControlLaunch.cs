using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Measures the raw sockets in a fresh process, as everything else is.</summary>
internal static class ControlLaunch
{
    /// <returns>Round trips per second.</returns>
    public static async Task<double> RunAsync(TimeSpan duration, CancellationToken cancellationToken)
    {
        await using var crew = new Crew(cancellationToken);
        var plan = new RunPlan { Library = string.Empty, Duration = duration };
        AgentProcess control = crew.Add(new AgentProcess(AgentRole.Control));
        await crew.GreetAsync(control, plan, null, Deadlines.Process).ConfigureAwait(false);
        await crew.UnlessBrokenAsync(control.Result, Deadlines.OfRun(plan), cancellationToken).ConfigureAwait(false);
        ResultFrame result = await control.Result.ConfigureAwait(false);
        return result.Control!.Value;
    }
}
