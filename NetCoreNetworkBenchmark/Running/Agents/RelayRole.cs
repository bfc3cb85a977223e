using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Running.Agents;

/// <summary>An agent that impairs the traffic between clients and server, from the start of the load to its end.</summary>
internal static class RelayRole
{
    public static async Task RunAsync(AgentContext context)
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
            await context.SendAsync(new ReadyFrame(relay.EndPoint.ToString())).ConfigureAwait(false);
            while (true)
            {
                switch (await context.ReceiveAsync(recorder.Fault).ConfigureAwait(false))
                {
                    case GoFrame:
                        await relay.BeginAsync().ConfigureAwait(false);
                        await context.SendAsync(new PhaseFrame(RunPhase.WarmUp)).ConfigureAwait(false);
                        break;
                    case StopFrame:
                        await relay.EndAsync().ConfigureAwait(false);
                        await context.SendAsync(new ResultFrame { Relay = await relay.CountAsync().ConfigureAwait(false), Remarks = recorder.Remarks() })
                            .ConfigureAwait(false);
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
