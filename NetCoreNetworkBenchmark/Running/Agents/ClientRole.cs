using System.Net;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;
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
            InStep = context.StepAsync,
            HasOthers = context.Hello.HasOthers,
        };
        await using (clients.ConfigureAwait(false))
        {
            await clients.ConnectAsync(IPEndPoint.Parse(context.Hello.Target!), cancellationToken).ConfigureAwait(false);
            await channel.SendAsync(new ReadyFrame(null), cancellationToken).ConfigureAwait(false);
            await LoadAsync(context, clients, cancellationToken).ConfigureAwait(false);

            // The server is notified first that connections will end, so that none counts as lost.
            clients.EnterStop();
            await context.WaitForAsync<ByeFrame>(cancellationToken).ConfigureAwait(false);
        }
    }

    // Until the figures have been sent.
    private static async Task LoadAsync(AgentContext context, ClientSide clients, CancellationToken cancellationToken)
    {
        while (true)
        {
            switch (await context.Channel.ReceiveAsync(Deadlines.OfSilence(context.Plan), cancellationToken).ConfigureAwait(false))
            {
                case GoFrame:
                    await context.StoppableAsync(
                        async stop => new ResultFrame { Clients = await clients.LoadAsync(stop).ConfigureAwait(false), ClockStep = context.ClockStep },
                        cancellationToken).ConfigureAwait(false);
                    return;
                case SliceFrame { Request: { } request }:
                    await context.StoppableAsync(
                        async stop => new SliceFrame(Report: await clients.SliceAsync(request, stop).ConfigureAwait(false)),
                        cancellationToken).ConfigureAwait(false);
                    break;
                case CompilationFrame:
                    await context.Channel.SendAsync(CompilationFrame.OfThisProcess(), cancellationToken).ConfigureAwait(false);
                    break;
                case StopFrame:
                    await context.Channel.SendAsync(
                        new ResultFrame { Clients = clients.Report(aborted: false), ClockStep = context.ClockStep }, cancellationToken).ConfigureAwait(false);
                    return;
                default:
                    break;
            }
        }
    }
}
