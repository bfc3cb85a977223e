using System.Net;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that is all the clients.</summary>
internal sealed class ClientRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        FrameChannel channel = context.Channel;
        var clients = new ClientSide(context.Plan, context.ClientLibrary ?? context.Library, context.Workload, new ProcessMeter(), context.Hello.Credentials)
        {
            Progress = progress => context.Progress = progress,
            Entered = phase => channel.SendAsync(new PhaseFrame(phase), cancellationToken),
        };
        await using (clients.ConfigureAwait(false))
        {
            await clients.ConnectAsync(IPEndPoint.Parse(context.Hello.Target!), cancellationToken).ConfigureAwait(false);
            await channel.SendAsync(new ReadyFrame(null), cancellationToken).ConfigureAwait(false);
            await context.WaitForAsync<GoFrame>(cancellationToken).ConfigureAwait(false);
            await context.StoppableAsync(
                async stop => new ResultFrame { Clients = await clients.LoadAsync(stop).ConfigureAwait(false) }, cancellationToken).ConfigureAwait(false);

            // The server is notified first that connections will end, so that none counts as lost.
            clients.EnterStop();
            await context.WaitForAsync<ByeFrame>(cancellationToken).ConfigureAwait(false);
        }
    }
}
