using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>A server by itself (<c>--role Server</c>), for clients of any program that come and go. It listens at the port of the run alone.</summary>
internal sealed class StandaloneServer(RunPlan plan, INetworkBenchmark library, IWorkload workload)
{
    // The first and the last message are known to this time.
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(0.05);

    /// <summary>
    /// The conditions that could disturb the run, as found before it. If null, they are inspected again, without the load of other programs.
    /// </summary>
    public Fitness? Fitness { get; init; }

    public Action<IPEndPoint>? Listening { get; init; }

    public async Task<ServerResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken).ConfigureAwait(false);
        var server = new ServerSide(plan, library, workload, endPoint, new ProcessMeter(), RunCredentials.For(plan)?.Server, expectsDisconnects: true);
        await using (server.ConfigureAwait(false))
        {
            ServerSnapshot start = server.Mark();
            var active = new ActiveTime(server.Mark, () => server.Messages);
            Listening?.Invoke(server.EndPoint);
            await ServeAsync(server, active, cancellationToken).ConfigureAwait(false);
            return Result(server.Report(active.Total ?? server.Mark().Since(start)), server.EndPoint, startedAt, fitness, active.Duration);
        }
    }

    private static async Task ServeAsync(ServerSide server, ActiveTime active, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(s_interval);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                active.Update();
                if (server.Fault.IsCompleted)
                {
                    Exception fault = await server.Fault.ConfigureAwait(false);
                    throw new BenchmarkException($"The server failed: {fault.Message}", fault);
                }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            active.End();
        }
    }

    private ServerResult Result(ServerReport report, IPEndPoint endPoint, DateTimeOffset startedAt, Fitness fitness, TimeSpan? duration) => new()
    {
        HarnessVersion = ResultBuilder.HarnessVersion,
        Plan = plan,
        LibraryVersion = report.LibraryVersion,
        EndPoint = endPoint.ToString(),
        StartedAt = startedAt,
        DurationSeconds = duration?.TotalSeconds,
        Server = report,
        Environment = MachineInspector.Inspect() with { OpenSslVersion = StreamFacts.OpenSslVersionOf(plan) },
        Fitness = fitness,
        Command = PlanArguments.CommandOf(plan, library.Info, workload, "--role", "Server"),
    };
}
