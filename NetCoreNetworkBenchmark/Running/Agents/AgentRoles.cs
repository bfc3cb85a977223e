using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal static class ServerRole
{
    public static async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        INetworkBenchmark library = context.CreateLibrary(context.Plan.Library);
        RunPlan plan = context.Plan.Hosts.ServerHost is { } host ? WithOwnAddress(context.Plan, host) : context.Plan;
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken);
        await using var server = new ServerSide(
            context.Plan, library, context.FindWorkload(), endPoint, context.Meter, context.Hello.Credentials, hasTimeline: true);
        context.Send(new ReadyFrame(server.EndPoint.ToString()));
        Task<Exception> broken = server.Fault.NamedAsync("The server");
        while (true)
        {
            switch (await context.ReceiveAsync().OrFaultAsync(broken))
            {
                case PhaseFrame { Phase: var phase }:
                    server.Enter(phase);
                    break;
                case DiscardFrame:
                    server.DiscardSlices();
                    break;
                case MemoryFrame:
                    context.Send(new MemoryFrame(ProcessMemory.Read()));
                    break;
                case StopFrame:
                    server.EnterStop();
                    context.Send(new ResultFrame { Server = server.Report(), ClockStep = context.ClockStep });
                    break;
                case ByeFrame:
                    return;
                case var other:
                    throw context.Unexpected(other);
            }
        }
    }

    // An address of the loopback, which is the default, is not one that other hosts reach.
    private static RunPlan WithOwnAddress(RunPlan plan, string host) =>
        IPAddress.TryParse(plan.Address, out IPAddress? address) && IPAddress.IsLoopback(address)
        ? plan with
        {
            Address = HostFacts.OwnAddress()?.ToString()
                ?? throw new BenchmarkException($"{host} has no address except its loopback. Use --address with an address that the clients reach."),
        }
        : plan;
}

internal static class ClientRole
{
    public static async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        await using ClientSide clients = await ClientSide.ConnectAsync(
            context.Plan,
            context.CreateLibrary(context.Plan.ClientLibrary ?? context.Plan.Library),
            context.FindWorkload(),
            context.Meter,
            context,
            new ServerAddress(IPEndPoint.Parse(context.Hello.Target!), context.Hello.Credentials),
            endsWithServer: false,
            cancellationToken);
        context.Send(new ReadyFrame(null));
        await LoadAsync(context, clients);

        // The server is notified first that connections will end, so that none counts as lost.
        clients.EnterStop();
        Frame next = await context.ReceiveAsync();
        while (IsLate(next))
        {
            next = await context.ReceiveAsync();
        }

        if (next is not ByeFrame)
        {
            throw context.Unexpected(next);
        }
    }

    // A stop or step that arrives just after the load has ended by itself requests what is already done.
    private static bool IsLate(Frame frame) => frame is StopFrame or StepFrame;

    // Until the figures have been sent.
    private static async Task LoadAsync(AgentContext context, ClientSide clients)
    {
        while (true)
        {
            switch (await context.ReceiveAsync())
            {
                case GoFrame:
                    await context.StoppableAsync(async stop => ResultOf(await clients.LoadAsync(stop)));
                    return;
                case SliceFrame { Command: { } command }:
                    await context.StoppableAsync(async stop => new SliceFrame(Report: await clients.SliceAsync(command, stop)));
                    break;
                case StopFrame:
                    context.Send(ResultOf(clients.Report(aborted: false)));
                    return;
                case var other when !IsLate(other):
                    throw context.Unexpected(other);
                default:
                    break;
            }
        }

        ResultFrame ResultOf(ClientReport report) => new() { Clients = report, ClockStep = context.ClockStep };
    }
}

internal static class RelayRole
{
    public static async Task RunAsync(AgentContext context)
    {
        IPEndPoint server = IPEndPoint.Parse(context.Hello.Target!);
        using var recorder = new RunRecorder();
        await using Relay relay = Relay.Start(RelaySetup.From(context.Plan, server, recorder) with { MaxSockets = DescriptorLimit.ForSockets });
        context.Send(new ReadyFrame(relay.EndPoint.ToString()));
        Task<Exception> broken = recorder.Fault.NamedAsync("The relay");
        while (true)
        {
            switch (await context.ReceiveAsync().OrFaultAsync(broken))
            {
                case GoFrame:
                    await relay.BeginAsync();
                    context.Send(new GoFrame());
                    break;
                case StopFrame:
                    await relay.EndAsync();
                    context.Send(new ResultFrame { Relay = await relay.CountAsync(), Remarks = recorder.Remarks() });
                    break;
                case ByeFrame:
                    return;
                case var other:
                    throw context.Unexpected(other);
            }
        }
    }
}
