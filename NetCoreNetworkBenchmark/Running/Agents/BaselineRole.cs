using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that measures raw sockets alone.</summary>
internal sealed class BaselineRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        double rate = await BaselineLoop.MeasureAsync(context.Plan.Duration, cancellationToken).ConfigureAwait(false);
        await context.Channel.SendAsync(new ResultFrame { Control = rate }, cancellationToken).ConfigureAwait(false);
    }
}
