using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal static class ClientRole
{
    public static async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        var clients = new ClientSide(
            context.Plan,
            context.CreateLibrary(context.Plan.ClientLibrary ?? context.Plan.Library),
            context.FindWorkload(),
            new ProcessMeter(),
            context,
            context.Hello.Credentials);
        await using (clients.ConfigureAwait(false))
        {
            await clients.ConnectAsync(IPEndPoint.Parse(context.Hello.Target!), cancellationToken).ConfigureAwait(false);
            await context.SendAsync(new ReadyFrame(null)).ConfigureAwait(false);
            await LoadAsync(context, clients).ConfigureAwait(false);

            // The server is notified first that connections will end, so that none counts as lost.
            clients.EnterStop();
            while (await context.ReceiveAsync().ConfigureAwait(false) is not ByeFrame)
            {
                // A stop that arrives just after the load has ended by itself requests work that is already done.
            }
        }
    }

    // Until the figures have been sent.
    private static async Task LoadAsync(AgentContext context, ClientSide clients)
    {
        while (true)
        {
            switch (await context.ReceiveAsync().ConfigureAwait(false))
            {
                case GoFrame:
                    await context.StoppableAsync(async stop => ResultOf(await clients.LoadAsync(stop).ConfigureAwait(false))).ConfigureAwait(false);
                    return;
                case SliceFrame { Request: { } request }:
                    await context.StoppableAsync(async stop => new SliceFrame(Report: await clients.SliceAsync(request, stop).ConfigureAwait(false)))
                        .ConfigureAwait(false);
                    break;
                case CompilationFrame:
                    await context.SendAsync(CompilationFrame.OfThisProcess()).ConfigureAwait(false);
                    break;
                case StopFrame:
                    await context.SendAsync(ResultOf(clients.Report(aborted: false))).ConfigureAwait(false);
                    return;
                default:
                    break;
            }
        }

        ResultFrame ResultOf(ClientReport report) => new() { Clients = report, ClockStep = context.ClockStep };
    }
}
