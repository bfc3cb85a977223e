using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>A method enters its phase and returns at the end of it. Cancelling ends a phase early; a fault of the run ends it with an exception.</summary>
internal sealed class ClientPhases(
    RunPlan plan, IWorkload workload, ProcessMeter meter, ICoordinator coordinator, ClientFigures figures, IClientLoad load, IClientGroup clients)
{
    private static readonly TimeSpan s_reportInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_abortedDrain = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_check = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_copyAllowance = TimeSpan.FromMilliseconds(100);

    // A load that is not full after this time, for example because its messages are lost, is measured as it is.
    private static readonly TimeSpan s_maxSettling = TimeSpan.FromSeconds(2);

    private readonly RunRecorder _recorder = figures.Recorder;
    private readonly Task<Exception> _fault = figures.Recorder.Fault.NamedAsync("The run");
    private readonly bool _isOneWay = workload.LatencyKind == LatencyKind.OneWay;
    private readonly LiveReader? _live = coordinator.HasLiveFigures
        ? new LiveReader(figures.Recorder, meter, workload.LatencyKind == LatencyKind.OneWay)
        : null;

    /// <summary>The load is then measured from its first message to its end.</summary>
    public bool EndsWhenDone { get; } = workload.EndsWhenDone(plan);

    /// <summary>Null if the server's own process is watched.</summary>
    public IPEndPoint? WatchedServer { get; init; }

    // Unsent messages first: one that is sent between the two checks is in flight at the second.
    private bool IsDraining => load.Awaited > 0 || (!_isOneWay && (figures.HasUnsent || _recorder.InFlight() > 0));
    private bool IsDone => EndsWhenDone && load.IsDone;

    public async Task WarmUpAsync(TimeSpan longest, CancellationToken cancellationToken)
    {
        _recorder.Enter(RunPhase.WarmUp);
        long start = Stopwatch.GetTimestamp();
        await StartLoadAsync();
        var rule = new SteadyRate();
        var watch = new RateWatch(_recorder, RunPhase.WarmUp);
        _live?.Begin(RunPhase.WarmUp);
        while (!rule.IsSteady && !IsDone && longest - Stopwatch.GetElapsedTime(start) is var left && left > TimeSpan.Zero
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < SteadyRate.Bin ? left : SteadyRate.Bin, cancellationToken);
            (double rate, TimeSpan length) = watch.Read();
            rule.Add(rate, length);
            coordinator.Report(new RunProgress(RunPhase.WarmUp, Stopwatch.GetElapsedTime(start), longest, rate, _live?.Read()));
        }

        figures.AddWarmUp(Stopwatch.GetElapsedTime(start), rule.IsSteady);
    }

    /// <summary>
    /// Until the load has settled and is full: as many answers as messages can be in flight, as clients receive nothing while they send their first messages.
    /// One for each client is enough in an open loop, for clients that listen, and for a load that stays in flight.
    /// </summary>
    public async Task SettleAsync(TimeSpan settling, bool staysInFlight, CancellationToken cancellationToken)
    {
        long window = plan.Clients * (plan.Rate is null && !_isOneWay && !staysInFlight ? (long)plan.ParallelMessages : 1);
        long full = _recorder.Count(RunPhase.WarmUp).ClientReceived + window;
        _recorder.Enter(RunPhase.WarmUp);
        await StartLoadAsync();
        await WaitAsync(settling, cancellationToken);
        await WaitUntilAsync(() => _recorder.Count(RunPhase.WarmUp).ClientReceived >= full, s_maxSettling, cancellationToken);
    }

    /// <summary>Begins when the load is warm at all load generators. A load that ends by itself starts here.</summary>
    public async Task MeasureAsync(TimeSpan duration, int parts, CancellationToken cancellationToken)
    {
        if (coordinator.HasOtherLoadGenerators)
        {
            await StepAsync(cancellationToken);
        }

        figures.BeginMeasurement();
        long start = Stopwatch.GetTimestamp();
        coordinator.Enter(RunPhase.Measure);
        figures.BeginTimeline();
        var watch = new RateWatch(_recorder, RunPhase.Measure);
        _live?.Begin(RunPhase.Measure);
        if (EndsWhenDone)
        {
            // Not before the server counts.
            await StepAsync(cancellationToken);
            await StartLoadAsync(() => figures.BeginPart(start = Stopwatch.GetTimestamp()));
        }

        bool isLast = false;
        for (int part = 1; !isLast; part++)
        {
            await MeasureUntilAsync(start, duration * part / parts, duration, watch, cancellationToken);
            isLast = part == parts || cancellationToken.IsCancellationRequested;
            figures.EndPart(!isLast ? RunPhase.Measure : EndsWhenDone ? RunPhase.Drain : RunPhase.CoolDown);
        }

        coordinator.Enter(RunPhase.Drain);
        figures.EndMeasurement();
    }

    /// <summary>Keeps the load up until the server has ended its count, so that the server's interval has no time without load.</summary>
    public Task CoolDownAsync(CancellationToken cancellationToken) => EndsWhenDone ? Task.CompletedTask : StepAsync(cancellationToken);

    public async Task DrainAsync(CancellationToken cancellationToken, Action? onEntered = null)
    {
        _recorder.Enter(RunPhase.Drain);
        onEntered?.Invoke();
        coordinator.Report(new RunProgress(RunPhase.Drain, TimeSpan.Zero, null, 0));
        TimeSpan deadline = cancellationToken.IsCancellationRequested ? s_abortedDrain : plan.LossDeadline + TimeSpan.FromSeconds(1);
        await WaitUntilAsync(() => !IsDraining, deadline, CancellationToken.None);
        if (plan.Impairment.Directions.Any(direction => direction.Duplicate > 0))
        {
            // The copy of the last answer comes behind it, by up to twice the jitter more each way.
            TimeSpan jitter = plan.Impairment.Directions.Max(direction => direction.Jitter);
            await WaitAsync(s_copyAllowance + (4 * jitter), CancellationToken.None);
        }

        figures.EndDrain();
    }

    /// <returns>The time until nothing was in flight.</returns>
    public async Task<TimeSpan> PauseAsync(CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();

        // The schedule ends where its thread's phase begins. Before the drain, the messages due since then would never be sent, and the drain would await them.
        await DrainAsync(cancellationToken, clients.Pause);
        _recorder.Enter(RunPhase.Paused);
        return Stopwatch.GetElapsedTime(begin);
    }

    public async Task WaitAsync(TimeSpan length, CancellationToken cancellationToken)
    {
        // Task.Delay cuts off parts of a millisecond: waits for the last one would return at once, and the loop around them would take a core.
        Task delay = Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(length.TotalMilliseconds)), cancellationToken);
        if (await Task.WhenAny(delay, _fault) == _fault)
        {
            throw await _fault;
        }
    }

    // The first messages may take seconds, in which the caller must read what the coordinator sends. The thread pool may be busy with the library.
    private Task StartLoadAsync(Action? begin = null)
    {
        load.OnStarting();
        return OwnThread.RunAndContinueAsync(() =>
        {
            begin?.Invoke();
            clients.Start();
        });
    }

    private async Task MeasureUntilAsync(long start, TimeSpan end, TimeSpan length, RateWatch watch, CancellationToken cancellationToken)
    {
        TimeSpan interval = EndsWhenDone ? s_check : s_reportInterval;
        while (end - Stopwatch.GetElapsedTime(start) is var left && left > TimeSpan.Zero && !IsDone && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < interval ? left : interval, cancellationToken);
            RequireServer();
            double rate = watch.Read().Rate;
            meter.CountThreads();
            coordinator.Report(new RunProgress(RunPhase.Measure, Stopwatch.GetElapsedTime(start), length, rate, _live?.Read()));
        }
    }

    private void RequireServer()
    {
        if (WatchedServer is not null && _recorder.Errors().GetValueOrDefault(RunRecorder.ServerLost) >= plan.Clients)
        {
            throw new BenchmarkException($"The run failed: all clients lost the server at {WatchedServer}.");
        }
    }

    private async Task StepAsync(CancellationToken cancellationToken)
    {
        try
        {
            await coordinator.StepAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The load is ended early, and its figures so far are kept.
            return;
        }
    }

    private async Task WaitUntilAsync(Func<bool> isOver, TimeSpan deadline, CancellationToken cancellationToken)
    {
        long start = Stopwatch.GetTimestamp();
        while (!isOver() && Stopwatch.GetElapsedTime(start) < deadline && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(s_check, cancellationToken);
        }
    }
}
