using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that reports the properties of its host, once for each request, until the coordinator ends it.</summary>
internal sealed class InspectorRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        TaskCompletionSource<Exception> never = new();
        while (await context.NextAsync(never.Task, cancellationToken).ConfigureAwait(false) is not ByeFrame)
        {
            await context.Channel.SendAsync(new HostFrame(HostFacts.Read(context.Plan)), cancellationToken).ConfigureAwait(false);
        }
    }
}
