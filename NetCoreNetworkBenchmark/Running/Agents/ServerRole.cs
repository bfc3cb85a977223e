using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

internal static class ServerRole
{
    public static async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        INetworkBenchmark library = context.CreateLibrary(context.Plan.Library);
        RunPlan plan = context.Plan.Hosts.ServerHost is { } host ? WithOwnAddress(context.Plan, host) : context.Plan;
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken).ConfigureAwait(false);
        var server = new ServerSide(context.Plan, library, context.FindWorkload(), endPoint, new ProcessMeter(), context.Hello.Credentials);
        await using (server.ConfigureAwait(false))
        {
            await context.SendAsync(new ReadyFrame(server.EndPoint.ToString())).ConfigureAwait(false);
            var figures = new ServerFigures(server, TimelineSampler.IntervalOf(context.Plan.Duration));
            while (true)
            {
                switch (await context.ReceiveAsync(server.Fault).ConfigureAwait(false))
                {
                    case PhaseFrame { Phase: var phase }:
                        figures.Enter(phase);
                        break;
                    case MemoryFrame:
                        await context.SendAsync(new MemoryFrame(ProcessMemory.Read())).ConfigureAwait(false);
                        break;
                    case CompilationFrame:
                        await context.SendAsync(CompilationFrame.OfThisProcess()).ConfigureAwait(false);
                        break;
                    case StopFrame:
                        server.EnterStop();
                        await context.SendAsync(new ResultFrame { Server = figures.Report(), ClockStep = context.ClockStep }).ConfigureAwait(false);
                        break;
                    case ByeFrame:
                        return;
                    default:
                        break;
                }
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
