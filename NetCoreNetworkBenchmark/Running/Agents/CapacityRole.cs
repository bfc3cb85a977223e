using System.Net;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that is all the clients. Each client makes one round trip.</summary>
internal sealed class CapacityRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        var crowd = new CapacitySide(context.Plan, context.ClientLibrary ?? context.Library, context.Workload, context.Hello.Credentials);
        await using (crowd.ConfigureAwait(false))
        {
            await crowd.ConnectAsync(IPEndPoint.Parse(context.Hello.Target!), cancellationToken).ConfigureAwait(false);
            await context.Channel.SendAsync(new ReadyFrame(null), cancellationToken).ConfigureAwait(false);
            await context.WaitForAsync<GoFrame>(cancellationToken).ConfigureAwait(false);
            var result = new ResultFrame { Crowd = await crowd.MeetAsync(cancellationToken).ConfigureAwait(false) };
            await context.Channel.SendAsync(result, cancellationToken).ConfigureAwait(false);
            crowd.EnterStop();
            await context.WaitForAsync<ByeFrame>(cancellationToken).ConfigureAwait(false);
        }
    }
}
