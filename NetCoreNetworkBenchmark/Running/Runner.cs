using System.Net;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Runs one plan with server and clients in this process: bind, connect, warm up, measure, drain, stop; each with a deadline.
/// Cancelling ends the phase that runs, keeps what was measured and marks it as aborted.
/// </summary>
internal sealed class Runner(RunPlan plan, INetworkBenchmark library, IWorkload workload, INetworkBenchmark? clientLibrary = null)
{
    /// <summary>What could disturb the run, as it was found before it; null to look again, without what other programs do.</summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Told now and then where the run is.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan.</summary>
    /// <exception cref="BenchmarkException">The run could not start or broke off.</exception>
    /// <exception cref="OperationCanceledException">Cancelled before anything was measured.</exception>
    public async Task<RunResult> RunAsync(CancellationToken cancellationToken)
    {
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken).ConfigureAwait(false);
        var meter = new ProcessMeter();
        RunCredentials? credentials = RunCredentials.For(plan);
        INetworkBenchmark driver = clientLibrary ?? library;
        var server = new ServerSide(plan, library, workload, endPoint, meter, credentials?.Server);
        await using (server.ConfigureAwait(false))
        {
            ServerMark start = server.Mark();
            ServerMark end = start;
            var clients = new ClientSide(plan, driver, workload, meter, credentials?.Clients)
            {
                Progress = Progress,
                ServerFault = server.Fault,
                Entered = phase =>
                {
                    _ = phase == RunPhase.Measure ? start = server.Mark() : end = server.Mark();
                    return Task.CompletedTask;
                },
            };
            await using (clients.ConfigureAwait(false))
            {
                await clients.ConnectAsync(server.EndPoint, cancellationToken).ConfigureAwait(false);
                ClientReport measured = await clients.LoadAsync(cancellationToken).ConfigureAwait(false);
                clients.EnterStop();
                server.EnterStop();
                return ResultBuilder.Build(new RunEvidence
                {
                    Plan = plan,
                    Library = library.Info.DrivenBy(clientLibrary?.Info, plan.Protocol),
                    EndPoint = server.EndPoint,
                    Clients = measured,
                    Server = server.Between(start, end),
                    OneProcess = true,
                    Fitness = fitness,
                });
            }
        }
    }
}
