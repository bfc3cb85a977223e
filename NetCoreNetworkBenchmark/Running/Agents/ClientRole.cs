using System.Net;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that is all the clients.</summary>
internal sealed class ClientRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        FrameChannel channel = context.Channel;
        var clients = new ClientSide(context.Plan, context.Library, context.Workload, new ProcessMeter())
        {
            Progress = progress => context.Progress = progress,
            Entered = phase => channel.SendAsync(new PhaseFrame(phase), cancellationToken),
        };
        await using (clients.ConfigureAwait(false))
        {
            await clients.ConnectAsync(IPEndPoint.Parse(context.Hello.Target!), cancellationToken).ConfigureAwait(false);
            await channel.SendAsync(new ReadyFrame(null), cancellationToken).ConfigureAwait(false);
            await WaitForAsync<GoFrame>(context, cancellationToken).ConfigureAwait(false);
            await context.StoppableAsync(
                async stop => new ResultFrame { Clients = await clients.LoadAsync(stop).ConfigureAwait(false) }, cancellationToken).ConfigureAwait(false);

            // The server is told first that connections will end, so that none counts as lost.
            clients.EnterStop();
            await WaitForAsync<ByeFrame>(context, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task WaitForAsync<T>(AgentContext context, CancellationToken cancellationToken)
        where T : Frame
    {
        while (await context.Channel.ReceiveAsync(Deadlines.OfRun(context.Plan), cancellationToken).ConfigureAwait(false) is not T)
        {
            // A stop that came when the load had just ended by itself asks for what has been done.
        }
    }
}
