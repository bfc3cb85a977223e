using System.Net;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that is server and clients in one process.</summary>
internal sealed class BothRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        var meter = new ProcessMeter();
        IPEndPoint endPoint = await HostNames.ResolveAsync(context.Plan, context.Library.Info, cancellationToken).ConfigureAwait(false);
        var server = new ServerSide(context.Plan, context.Library, context.Workload, endPoint, meter);
        await using (server.ConfigureAwait(false))
        {
            await context.Channel.SendAsync(new ReadyFrame(server.EndPoint.ToString()), cancellationToken).ConfigureAwait(false);
            await context.WaitForAsync<GoFrame>(cancellationToken).ConfigureAwait(false);
            var figures = new ServerFigures(server);
            var clients = new ClientSide(context.Plan, context.Library, context.Workload, meter)
            {
                Progress = progress => context.Progress = progress,
                InStep = context.Hello.HasOthers ? context.StepAsync : null,
                HasOthers = context.Hello.HasOthers,
                Entered = phase =>
                {
                    figures.Enter(phase);
                    return Task.CompletedTask;
                },
            };
            await using (clients.ConfigureAwait(false))
            {
                await clients.ConnectAsync(server.EndPoint, cancellationToken).ConfigureAwait(false);
                await context.StoppableAsync(
                    async stop => new ResultFrame { Clients = await clients.LoadAsync(stop).ConfigureAwait(false), Server = figures.Tell() },
                    cancellationToken).ConfigureAwait(false);
                clients.EnterStop();
                server.EnterStop();
                await context.WaitForAsync<ByeFrame>(cancellationToken).ConfigureAwait(false);
            }
        }
    }
}
