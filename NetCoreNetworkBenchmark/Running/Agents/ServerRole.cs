using System.Net;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that is the server.</summary>
internal sealed class ServerRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        RunPlan plan = context.Plan.Hosts.ServerHost is { } host ? WithOwnAddress(context.Plan, host) : context.Plan;
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, context.Library.Info, cancellationToken).ConfigureAwait(false);
        var server = new ServerSide(context.Plan, context.Library, context.Workload, endPoint, new ProcessMeter(), context.Hello.Credentials);
        await using (server.ConfigureAwait(false))
        {
            await context.Channel.SendAsync(new ReadyFrame(server.EndPoint.ToString()), cancellationToken).ConfigureAwait(false);
            var figures = new ServerFigures(server, TimelineSampler.IntervalOf(context.Plan.Duration));
            while (true)
            {
                switch (await context.NextAsync(server.Fault, cancellationToken).ConfigureAwait(false))
                {
                    case PhaseFrame { Phase: var phase }:
                        figures.Enter(phase);
                        break;
                    case MemoryFrame:
                        await context.Channel.SendAsync(new MemoryFrame(ProcessMemory.Read()), cancellationToken).ConfigureAwait(false);
                        break;
                    case CompilationFrame:
                        await context.Channel.SendAsync(CompilationFrame.OfThisProcess(), cancellationToken).ConfigureAwait(false);
                        break;
                    case StopFrame:
                        server.EnterStop();
                        await context.Channel.SendAsync(
                            new ResultFrame { Server = figures.Tell(), ClockStep = context.ClockStep }, cancellationToken).ConfigureAwait(false);
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
