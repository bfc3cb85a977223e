using System.Runtime;
using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Cancelling ends the current phase and keeps the figures measured so far.</summary>
/// <remarks>
/// The commands of a set of slices, of which the warm-up is repeated until the JIT compilers are quiet:
/// <code>
/// load                          warm-up                               each slice    end
/// drained before each pause     MeasureCommand *                      MeasureCommand
/// in flight over the pauses     MeasureCommand *                      MeasureCommand    EndCommand
/// ends by itself                WarmUpCommand (once)                  MeasureCommand
/// * It is measured as a slice is, and the first slice discards its figures.
/// </code>
/// </remarks>
internal sealed class ClientSide(
    RunPlan plan, string library, ICoordinator coordinator, ClientFigures figures, IClientLoad load, IClientGroup clients, ClientPhases phases)
    : IAsyncDisposable
{
    private bool _stayedInFlight;

    /// <summary>The clients have sent nothing when the task ends.</summary>
    /// <param name="endsWithServer">Whether the load ends when all clients have lost the server. Otherwise, the server's process is watched.</param>
    public static async Task<ClientSide> ConnectAsync(
        RunPlan plan,
        INetworkBenchmark library,
        IWorkload workload,
        ProcessMeter meter,
        ICoordinator coordinator,
        ServerAddress server,
        bool endsWithServer,
        CancellationToken cancellationToken)
    {
        coordinator.Report(new RunProgress(RunPhase.Connect, TimeSpan.Zero, null, 0));
        var figures = new ClientFigures(plan, library, workload, meter, server.EndPoint);
        IClientGroup? clients = null;
        try
        {
            IClientLoad load = workload.CreateLoad(plan, figures.Recorder);
            long start = Stopwatch.GetTimestamp();
            clients = await library.ConnectAsync(
                new ClientSetup
                {
                    EndPoint = server.EndPoint,
                    Group = plan.MulticastGroup,
                    Schedule = workload.InputSchedule(plan),
                    Listens = workload.LatencyKind == LatencyKind.OneWay,
                    Plan = plan.ForClients().ForAdapters(workload.LatencyKind == LatencyKind.OneWay),
                    Credentials = server.ForClients,
                    // The kind of the workload decides which of the two there is.
                    Handler = (load as IClientHandler)!,
                    Connections = load as IConnectionHandler,
                    Recorder = figures.Recorder,
                },
                cancellationToken);
            figures.EndConnecting(Stopwatch.GetElapsedTime(start), clients);
            var phases = new ClientPhases(plan, workload, meter, coordinator, figures, load, clients)
            {
                WatchedServer = endsWithServer ? server.EndPoint : null,
            };
            return new ClientSide(plan, library.Info.Name, coordinator, figures, load, clients, phases);
        }
        catch
        {
            if (clients is not null)
            {
                await clients.DisposeAsync();
            }

            figures.Dispose();
            throw;
        }
    }

    public async Task<ClientReport> LoadAsync(CancellationToken cancellationToken)
    {
        // Also compiles the code of the path from here to the server, which otherwise begins to measure 70 ms later than the clients.
        coordinator.Enter(RunPhase.WarmUp);
        if (!phases.EndsWhenDone)
        {
            await phases.WarmUpAsync(plan.WarmUp, cancellationToken);
        }

        figures.Prepare(plan.Duration);
        CollectGarbage();
        await phases.MeasureAsync(plan.Duration, plan.Iterations, cancellationToken);
        await phases.CoolDownAsync(cancellationToken);
        await phases.DrainAsync(cancellationToken);
        return Report(cancellationToken.IsCancellationRequested);
    }

    public Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken) => command switch
    {
        WarmUpCommand => WarmUpAsync(cancellationToken),
        MeasureCommand measure => MeasureAsync(measure, cancellationToken),
        _ => EndAsync(cancellationToken),
    };

    public ClientReport Report(bool aborted) => figures.Report(load, aborted);

    public void EnterStop() => figures.Recorder.Enter(RunPhase.Stop);

    /// <exception cref="BenchmarkException">The library did not stop the clients before its deadline.</exception>
    public async ValueTask DisposeAsync()
    {
        EnterStop();
        await clients.StopAsync($"{library} did not stop its clients", plan);
        figures.Dispose();
    }

    // Garbage of the start must not be collected during the measurement, because it would count as the library's.
    private static void CollectGarbage() => GC.Collect();

    private async Task<SliceReport> WarmUpAsync(CancellationToken cancellationToken)
    {
        coordinator.Enter(RunPhase.WarmUp);
        await phases.WarmUpAsync(plan.Duration, cancellationToken);
        TimeSpan drained = await phases.PauseAsync(cancellationToken);
        coordinator.Enter(RunPhase.Paused);
        CollectGarbage();
        figures.BeginPause(discardsEarlier: true);
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }

    private async Task<SliceReport> MeasureAsync(MeasureCommand command, CancellationToken cancellationToken)
    {
        if (command.DiscardsEarlier)
        {
            figures.Restart();
            load.OnDiscarded();
            CollectGarbage();
        }

        figures.EndPause();
        TimeSpan settled = await SettleAsync(command, cancellationToken);
        TimeSpan compiled = JitInfo.GetCompilationTime();
        TimeSpan length = phases.EndsWhenDone ? plan.Duration : TimeSpan.FromSeconds(command.Seconds);
        figures.Prepare(length);
        await phases.MeasureAsync(length, parts: 1, cancellationToken);
        compiled = JitInfo.GetCompilationTime() - compiled;
        TimeSpan drained = TimeSpan.Zero;
        _stayedInFlight = command.StaysInFlight;
        if (_stayedInFlight)
        {
            figures.Recorder.Suspend();
        }
        else
        {
            await phases.CoolDownAsync(cancellationToken);
            drained = await phases.PauseAsync(cancellationToken);
            coordinator.Enter(RunPhase.Paused);
            figures.BeginPause();
        }

        return figures.EndSlice(settled, drained, compiled);
    }

    private async Task<TimeSpan> SettleAsync(MeasureCommand command, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        var settling = TimeSpan.FromSeconds(command.SettleSeconds);
        figures.Recorder.Resume();
        if (_stayedInFlight)
        {
            // The load goes on, and is already full.
            figures.Recorder.Enter(RunPhase.WarmUp);
            await phases.WaitAsync(settling, cancellationToken);
            return Stopwatch.GetElapsedTime(begin);
        }

        coordinator.Enter(RunPhase.WarmUp);
        if (phases.EndsWhenDone)
        {
            return TimeSpan.Zero;
        }

        await phases.SettleAsync(settling, command.StaysInFlight, cancellationToken);
        return Stopwatch.GetElapsedTime(begin);
    }

    // No pause follows whose cost is counted.
    private async Task<SliceReport> EndAsync(CancellationToken cancellationToken)
    {
        figures.Recorder.Resume();
        TimeSpan drained = await phases.PauseAsync(cancellationToken);
        _stayedInFlight = false;
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }
}
