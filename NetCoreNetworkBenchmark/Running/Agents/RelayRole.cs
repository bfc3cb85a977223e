using System.Net;
using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that impairs the traffic between clients and server, from the start of the load to its end.</summary>
internal sealed class RelayRole : IAgentRole
{
    public async Task RunAsync(AgentContext context, CancellationToken cancellationToken)
    {
        IPEndPoint server = IPEndPoint.Parse(context.Hello.Target!);
        using var recorder = new RunRecorder();
        var setup = new RelaySetup
        {
            EndPoint = new IPEndPoint(server.Address, 0),
            Server = server,
            Impairment = context.Plan.Impairment,
            Plan = context.Plan,
            Recorder = recorder,
        };
        Relay relay = Relay.Start(setup);
        await using (relay.ConfigureAwait(false))
        {
            await context.Channel.SendAsync(new ReadyFrame(relay.EndPoint.ToString()), cancellationToken).ConfigureAwait(false);
            while (true)
            {
                switch (await context.NextAsync(recorder.Fault, cancellationToken).ConfigureAwait(false))
                {
                    case GoFrame:
                        await relay.BeginAsync().ConfigureAwait(false);
                        await context.Channel.SendAsync(new PhaseFrame(RunPhase.WarmUp), cancellationToken).ConfigureAwait(false);
                        break;
                    case StopFrame:
                        await relay.EndAsync().ConfigureAwait(false);
                        RelayCounts counts = await relay.CountAsync().ConfigureAwait(false);
                        await context.Channel.SendAsync(
                            new ResultFrame { Relay = counts, Remarks = recorder.Remarks() }, cancellationToken).ConfigureAwait(false);
                        break;
                    case ByeFrame:
                        return;
                    default:
                        break;
                }
            }
        }
    }
}
