using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Processes;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary><c>--role Server</c>: clients of any program come and go.</summary>
internal sealed class StandaloneServer(RunPlan plan, INetworkBenchmark library, IWorkload workload)
{
    // The first and the last message are known to this time.
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(0.05);

    public Fitness? Fitness { get; init; }
    public Action<IPEndPoint>? Listening { get; init; }

    public async Task<ServerResult> RunAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        Fitness fitness = Fitness ?? FitnessInspector.Inspect(plan);
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken);
        await using var server = new ServerSide(
            plan, library, workload, endPoint, new ProcessMeter(), RunCredentials.For(plan)?.Server, expectsDisconnects: true);
        ServerSnapshot start = server.Read();
        var active = new ActiveTime(server.Read, () => server.Messages);
        Listening?.Invoke(server.EndPoint);
        await ServeAsync(server, active, cancellationToken);
        return Result(server.Report(active.Total ?? server.Read().Since(start)), server.EndPoint, startedAt, fitness, active.Duration);
    }

    // On a thread of its own: a timer of .NET wakes a thread of the pool, which then looks for more work for a while, and that costs the server CPU time.
    private static Task ServeAsync(ServerSide server, ActiveTime active, CancellationToken cancellationToken) => OwnThread.RunAsync(() =>
    {
        while (!cancellationToken.WaitHandle.WaitOne(s_interval))
        {
            active.Update();
            if (server.Fault.IsCompleted)
            {
                throw new BenchmarkException($"The server failed: {server.Fault.Result.Message}", server.Fault.Result);
            }
        }

        active.End();
    });

    private ServerResult Result(ServerReport report, IPEndPoint endPoint, DateTimeOffset startedAt, Fitness fitness, TimeSpan? duration) => new()
    {
        HarnessVersion = ResultBuilder.HarnessVersion,
        Plan = plan,
        LibraryVersion = report.LibraryVersion,
        EndPoint = endPoint.ToString(),
        StartedAt = startedAt,
        DurationSeconds = duration?.TotalSeconds,
        Server = report,
        Environment = MachineInspector.Inspect() with { OpenSslVersion = MachineInspector.OpenSslVersionFor(plan) },
        Fitness = fitness,
        Command = PlanArguments.CommandOf(plan, library.Info, workload, "--role", "Server"),
    };
}

/// <summary>Idle time belongs to no message and is left out. The ends of an active interval are exact to the time between two snapshots.</summary>
/// <param name="snapshot">It may stop all threads for a moment, so it is not called while messages come.</param>
internal sealed class ActiveTime(Func<ServerSnapshot> snapshot, Func<long> messages)
{
    // The last snapshot before the active interval, or the last one of all while the server is idle.
    private ServerSnapshot _before = snapshot();
    private long _counted;
    private bool _isActive;
    private ServerSnapshot? _first;
    private ServerSnapshot? _last;

    public ServerSnapshot? Total { get; private set; }

    /// <summary>The time from the first to the last message, with the idle time between them; null if there was no message.</summary>
    public TimeSpan? Duration => _last is null ? null : Stopwatch.GetElapsedTime(_first!.Reading.Timestamp, _last.Reading.Timestamp);

    public void Update()
    {
        if (_isActive && messages() is var count && count != _counted)
        {
            _counted = count;
            return;
        }

        // The snapshot has its own count, so that a message that came after the one above is not left out.
        ServerSnapshot now = snapshot();
        if (now.Messages != _counted)
        {
            (_isActive, _counted) = (true, now.Messages);
        }
        else if (_isActive)
        {
            Add(now);
        }
        else
        {
            _before = now;
        }
    }

    public void End()
    {
        ServerSnapshot now = snapshot();
        if (_isActive || now.Messages != _counted)
        {
            Add(now);
        }
    }

    private void Add(ServerSnapshot end)
    {
        Total = end.Since(_before).Plus(Total);
        _first ??= _before;
        (_before, _last, _counted, _isActive) = (end, end, end.Messages, false);
    }
}
