using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Hosts;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Measures the raw sockets in a fresh process, like every other measurement.</summary>
internal static class BaselineLaunch
{
    /// <summary>Measures them on the machine of the server.</summary>
    /// <returns>Round trips per second.</returns>
    public static async Task<double> RunAsync(TimeSpan duration, HostsPlan hosts, CancellationToken cancellationToken)
    {
        AgentProcess process = hosts.ServerHost is { } host
            ? new AgentProcess(AgentRole.Control, new RemoteHost(hosts, host))
            : new AgentProcess(AgentRole.Control);
        await using (process.ConfigureAwait(false))
        {
            var plan = new RunPlan { Library = string.Empty, Duration = duration };
            await process.SendHelloAsync(plan, null, null, cancellationToken).ConfigureAwait(false);
            return (await process.ResultAsync(Deadlines.OfRun(plan), cancellationToken).ConfigureAwait(false)).Control!.Value;
        }
    }
}
