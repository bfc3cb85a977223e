using System.Net;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Sides;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>
/// Runs one plan with server and clients in this process: bind, connect, warm up, measure, drain, stop. Each step has a deadline.
/// Cancelling ends the current phase, keeps the figures measured so far and marks the result as aborted.
/// </summary>
internal sealed class Runner(RunPlan plan, INetworkBenchmark library, IWorkload workload, INetworkBenchmark? clientLibrary = null)
{
    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Runs the plan.</summary>
    /// <exception cref="BenchmarkException">The run could not start or broke off.</exception>
    /// <exception cref="OperationCanceledException">The run was cancelled before anything was measured.</exception>
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
                return ResultBuilder.Build(new RunMeasurements
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
