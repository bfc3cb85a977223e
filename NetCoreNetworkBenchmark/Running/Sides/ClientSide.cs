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
internal sealed class ClientSide : IAsyncDisposable
{
    private readonly RunPlan _plan;
    private readonly string _library;
    private readonly ICoordinator _coordinator;
    private readonly ClientFigures _figures;
    private readonly IClientLoad _load;
    private readonly IClientGroup _clients;
    private readonly ClientPhases _phases;
    private bool _stayedInFlight;

    private ClientSide(
        RunPlan plan, string library, ICoordinator coordinator, ClientFigures figures, IClientLoad load, IClientGroup clients, ClientPhases phases) =>
        (_plan, _library, _coordinator, _figures, _load, _clients, _phases) = (plan, library, coordinator, figures, load, clients, phases);

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
                    Plan = workload.PlanForAdapters(plan.ForClients()),
                    Credentials = server.ForClients,
                    Handler = (load as IClientHandler)!,
                    Connections = load as IConnectionHandler,
                    Recorder = figures.Recorder,
                },
                cancellationToken).ConfigureAwait(false);
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
                await clients.DisposeAsync().ConfigureAwait(false);
            }

            figures.Dispose();
            throw;
        }
    }

    public async Task<ClientReport> LoadAsync(CancellationToken cancellationToken)
    {
        // Also compiles the code of the path from here to the server, which otherwise begins to measure 70 ms later than the clients.
        await _coordinator.EnterAsync(RunPhase.WarmUp).ConfigureAwait(false);
        if (!_phases.EndsWhenDone)
        {
            await _phases.WarmUpAsync(_plan.WarmUp, cancellationToken).ConfigureAwait(false);
        }

        _figures.Prepare(_plan.Duration);
        CollectGarbage();
        await _phases.MeasureAsync(_plan.Duration, _plan.Iterations, cancellationToken).ConfigureAwait(false);
        await _phases.HoldAsync(cancellationToken).ConfigureAwait(false);
        await _phases.DrainAsync(cancellationToken).ConfigureAwait(false);
        return Report(cancellationToken.IsCancellationRequested);
    }

    public Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken) => command switch
    {
        WarmUpCommand warmUp => WarmUpAsync(TimeSpan.FromSeconds(warmUp.Seconds), cancellationToken),
        MeasureCommand measure => MeasureAsync(measure, cancellationToken),
        _ => EndAsync(cancellationToken),
    };

    public ClientReport Report(bool aborted) => _figures.Report(_load, aborted);

    public void EnterStop() => _figures.Recorder.Enter(RunPhase.Stop);

    /// <exception cref="BenchmarkException">The library did not stop the clients before its deadline.</exception>
    public async ValueTask DisposeAsync()
    {
        EnterStop();
        await _clients.StopAsync($"{_library} did not stop its clients", _plan).ConfigureAwait(false);
        _figures.Dispose();
    }

    // Garbage of the start must not be collected during the measurement, because it would count as the library's.
    private static void CollectGarbage() => GC.Collect();

    private async Task<SliceReport> WarmUpAsync(TimeSpan length, CancellationToken cancellationToken)
    {
        await _coordinator.EnterAsync(RunPhase.WarmUp).ConfigureAwait(false);
        await (_phases.EndsWhenDone ? _phases.WarmUpAsync(_plan.Duration, cancellationToken) : _phases.BurstAsync(length, cancellationToken))
            .ConfigureAwait(false);
        TimeSpan drained = await _phases.PauseAsync(cancellationToken).ConfigureAwait(false);
        await _coordinator.EnterAsync(RunPhase.Paused).ConfigureAwait(false);
        CollectGarbage();
        _figures.BeginPause(discardsEarlier: true);
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }

    private async Task<SliceReport> MeasureAsync(MeasureCommand command, CancellationToken cancellationToken)
    {
        if (command.DiscardsEarlier)
        {
            _figures.Restart();
            _load.OnDiscarded();
            CollectGarbage();
            await _coordinator.EnterAsync(RunPhase.Connect).ConfigureAwait(false);
        }

        _figures.EndPause();
        TimeSpan settled = await SettleAsync(command, cancellationToken).ConfigureAwait(false);
        TimeSpan compiled = JitInfo.GetCompilationTime();
        TimeSpan length = _phases.EndsWhenDone ? _plan.Duration : TimeSpan.FromSeconds(command.Seconds);
        _figures.Prepare(length);
        await _phases.MeasureAsync(length, parts: 1, cancellationToken).ConfigureAwait(false);
        compiled = JitInfo.GetCompilationTime() - compiled;
        TimeSpan drained = TimeSpan.Zero;
        _stayedInFlight = command.StaysInFlight;
        if (_stayedInFlight)
        {
            _figures.Recorder.Suspend();
        }
        else
        {
            await _phases.HoldAsync(cancellationToken).ConfigureAwait(false);
            drained = await _phases.PauseAsync(cancellationToken).ConfigureAwait(false);
            await _coordinator.EnterAsync(RunPhase.Paused).ConfigureAwait(false);
            _figures.BeginPause();
        }

        return _figures.EndSlice(settled, drained, compiled);
    }

    private async Task<TimeSpan> SettleAsync(MeasureCommand command, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        var settling = TimeSpan.FromSeconds(command.SettleSeconds);
        _figures.Recorder.Resume();
        if (_stayedInFlight)
        {
            // The load goes on, and is already full.
            _figures.Recorder.Enter(RunPhase.WarmUp);
            await _phases.WaitAsync(settling, cancellationToken).ConfigureAwait(false);
            return Stopwatch.GetElapsedTime(begin);
        }

        await _coordinator.EnterAsync(RunPhase.WarmUp).ConfigureAwait(false);
        if (_phases.EndsWhenDone)
        {
            return TimeSpan.Zero;
        }

        await _phases.SettleAsync(settling, command.StaysInFlight, cancellationToken).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(begin);
    }

    // No pause follows whose cost is counted.
    private async Task<SliceReport> EndAsync(CancellationToken cancellationToken)
    {
        _figures.Recorder.Resume();
        TimeSpan drained = await _phases.PauseAsync(cancellationToken).ConfigureAwait(false);
        _stayedInFlight = false;
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }
}
