using System.Runtime;
using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// The clients of a run: they connect, warm up, measure and drain, all at once or in slices with pauses between them. Each phase has a deadline. Cancelling
/// ends the current phase and keeps the figures measured so far.
/// </summary>
internal sealed class ClientSide(
    RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter, ICoordinator coordinator, TlsCredentials? credentials = null)
    : IAsyncDisposable
{
    private static readonly TimeSpan s_reportInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_abortedDrain = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_check = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_copyAllowance = TimeSpan.FromMilliseconds(100);

    // A load that is not full after this time, for example because its messages are lost, is measured as it is.
    private static readonly TimeSpan s_maxSettling = TimeSpan.FromSeconds(2);

    private readonly ClientFigures _figures = new(plan, library, workload, meter);
    private readonly bool _isOneWay = workload.LatencyKind == LatencyKind.OneWay;
    private readonly bool _endsWhenDone = workload.EndsWhenDone(plan);
    private IClientLoad? _handler;
    private IClientGroup? _clients;
    private IPEndPoint? _server;

    // Whether messages stayed in flight over the pause before the next command.
    private bool _isInFlight;

    /// <summary>Whether the load breaks off when all clients have lost the server. Otherwise, the server's own process is watched.</summary>
    public bool EndsWithServer { get; init; }
    private RunRecorder Recorder => _figures.Recorder;
    private bool IsDraining => _isOneWay ? _handler!.Awaited > 0 : Recorder.InFlight() > 0 || _figures.HasUnsent;

    // A load that stays in flight goes on. So does any other until all load generators have measured and the server has ended its count: otherwise the time
    // that this takes would be a part of the server's interval without load.
    private RunPhase AfterMeasure => _endsWhenDone && !_isInFlight ? RunPhase.Drain : RunPhase.Hold;

    public async Task ConnectAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        coordinator.Report(new RunProgress(RunPhase.Connect, TimeSpan.Zero, null, 0));
        _server = server;
        _figures.BeginConnecting(server);
        _handler = workload.CreateLoad(plan, Recorder);
        long start = Stopwatch.GetTimestamp();
        _clients = await library.ConnectAsync(
            new ClientSetup
            {
                EndPoint = server,
                Group = plan.MulticastGroup,
                Listens = _isOneWay,
                Plan = workload.PlanForAdapters(plan.ForClients()),
                Credentials = credentials,
                Handler = (_handler as IClientHandler)!,
                Connections = _handler as IConnectionHandler,
                Recorder = Recorder,
            },
            cancellationToken).ConfigureAwait(false);
        _figures.EndConnecting(Stopwatch.GetElapsedTime(start), _clients);
    }

    public async Task<ClientReport> LoadAsync(CancellationToken cancellationToken)
    {
        if (!_endsWhenDone)
        {
            await WarmUpAsync(cancellationToken).ConfigureAwait(false);
        }

        _figures.Prepare(plan.Duration);
        CollectGarbage();
        await MeasureAsync(plan.Duration, plan.Iterations, cancellationToken).ConfigureAwait(false);
        await DrainAsync(cancellationToken).ConfigureAwait(false);
        return Report(cancellationToken.IsCancellationRequested);
    }

    public Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken) => command switch
    {
        WarmUpCommand warmUp => WarmUpAndPauseAsync(warmUp.Seconds, cancellationToken),
        MeasureCommand measure => MeasureSliceAsync(measure, cancellationToken),
        RestCommand rest => RestAsync(rest, cancellationToken),
        _ => EndAsync(cancellationToken),
    };

    public ClientReport Report(bool aborted) => _figures.Report(_server!, _handler!, aborted);

    public void EnterStop() => Recorder.Enter(RunPhase.Stop);

    public async ValueTask DisposeAsync()
    {
        EnterStop();
        _figures.EndTimeline();
        if (_clients is not null)
        {
            await _clients.DisposeAsync().ConfigureAwait(false);
        }

        _figures.Dispose();
    }

    private void StartLoad()
    {
        _handler!.OnStarting();
        _clients!.Start();
    }

    // Garbage of the start must not be collected during the measurement, because it would count as the library's.
    private static void CollectGarbage() => GC.Collect();

    private async Task WarmUpAsync(CancellationToken cancellationToken)
    {
        Recorder.Enter(RunPhase.WarmUp);
        long begin = Stopwatch.GetTimestamp();
        StartLoad();
        var rule = new SteadyRate();
        var watch = new RateWatch(Recorder, RunPhase.WarmUp);
        long start = Stopwatch.GetTimestamp();
        TimeSpan longest = _endsWhenDone ? plan.Duration : plan.WarmUp;
        while (!rule.IsSteady
            && !(_endsWhenDone && _handler!.IsDone)
            && longest - Stopwatch.GetElapsedTime(start) is var left
            && left > TimeSpan.Zero
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < SteadyRate.Bin ? left : SteadyRate.Bin, cancellationToken).ConfigureAwait(false);
            rule.Add(watch.Read(), watch.Bin);
            coordinator.Report(new RunProgress(RunPhase.WarmUp, Stopwatch.GetElapsedTime(start), longest, watch.Rate));
        }

        _figures.AddWarmUp(Stopwatch.GetElapsedTime(begin), rule.IsSteady);
    }

    private async Task<SliceReport> WarmUpAndPauseAsync(double seconds, CancellationToken cancellationToken)
    {
        await coordinator.EnterAsync(RunPhase.WarmUp).ConfigureAwait(false);
        if (_endsWhenDone)
        {
            await WarmUpAsync(cancellationToken).ConfigureAwait(false);
        }
        else
        {
            long begin = Stopwatch.GetTimestamp();
            Recorder.Enter(RunPhase.WarmUp);
            StartLoad();
            await WaitUntilAsync(() => Stopwatch.GetElapsedTime(begin).TotalSeconds >= seconds, cancellationToken).ConfigureAwait(false);
            _figures.AddWarmUp(Stopwatch.GetElapsedTime(begin));
        }

        TimeSpan drained = await PauseAsync(cancellationToken).ConfigureAwait(false);
        CollectGarbage();
        _figures.RestartPause();
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }

    // A load that stayed in flight is already full. Any other is measured when it is full again: there are as many answers as messages can be in flight; in an
    // open loop, and if the clients listen, one message for each client. A load that ends by itself is measured from its first message to its end.
    private async Task<SliceReport> MeasureSliceAsync(MeasureCommand command, CancellationToken cancellationToken)
    {
        if (command.DiscardsEarlier)
        {
            _figures.Restart();
            CollectGarbage();
            await coordinator.EnterAsync(RunPhase.Connect).ConfigureAwait(false);
        }

        TimeSpan settled = await ResumeAsync(command, cancellationToken).ConfigureAwait(false);
        _isInFlight = command.StaysInFlight;
        TimeSpan compiled = JitInfo.GetCompilationTime();
        TimeSpan length = _endsWhenDone ? plan.Duration : TimeSpan.FromSeconds(command.Seconds);
        _figures.Prepare(length);
        await MeasureAsync(length, 1, cancellationToken).ConfigureAwait(false);
        compiled = JitInfo.GetCompilationTime() - compiled;
        TimeSpan drained = TimeSpan.Zero;
        if (_isInFlight)
        {
            Recorder.Enter(RunPhase.Hold);
            Recorder.Suspend();
        }
        else
        {
            drained = await PauseAsync(cancellationToken).ConfigureAwait(false);
            _figures.BeginPause();
        }

        return _figures.EndSlice(settled, drained, compiled);
    }

    private async Task<SliceReport> RestAsync(RestCommand command, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        Recorder.Resume();
        if (_isInFlight)
        {
            Recorder.Enter(RunPhase.Drain);
            _isInFlight = false;
        }

        await WaitUntilAsync(() => Stopwatch.GetElapsedTime(begin).TotalSeconds >= command.Seconds, cancellationToken).ConfigureAwait(false);
        if (command.StaysInFlight)
        {
            Recorder.Suspend();
        }

        return new SliceReport(0, 0, 0, 0, 0);
    }

    // No pause follows whose cost is counted.
    private async Task<SliceReport> EndAsync(CancellationToken cancellationToken)
    {
        Recorder.Resume();
        TimeSpan drained = await EndLoadAsync(cancellationToken).ConfigureAwait(false);
        _isInFlight = false;
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }

    private async Task<TimeSpan> ResumeAsync(MeasureCommand command, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        var settling = TimeSpan.FromSeconds(command.SettleSeconds);
        _figures.EndPause();
        Recorder.Resume();
        if (_isInFlight)
        {
            Recorder.Enter(RunPhase.WarmUp);
            await WaitUntilAsync(() => Stopwatch.GetElapsedTime(begin) >= settling, cancellationToken).ConfigureAwait(false);
            return Stopwatch.GetElapsedTime(begin);
        }

        await coordinator.EnterAsync(RunPhase.WarmUp).ConfigureAwait(false);
        if (_endsWhenDone)
        {
            // Its measurement begins with the first message.
            return TimeSpan.Zero;
        }

        // The first burst of the warm-up of a load that stays in flight need not be full.
        long window = plan.Clients * (plan.Rate is null && !_isOneWay ? (long)plan.ParallelMessages : 1);
        long full = command is { StaysInFlight: true, DiscardsEarlier: false } ? 0 : Recorder.Count(RunPhase.WarmUp).ClientReceived + window;
        Recorder.Enter(RunPhase.WarmUp);
        StartLoad();
        await WaitUntilAsync(
            () => (Recorder.Count(RunPhase.WarmUp).ClientReceived >= full && Stopwatch.GetElapsedTime(begin) >= settling)
                || Stopwatch.GetElapsedTime(begin) >= s_maxSettling + settling,
            cancellationToken).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(begin);
    }

    private async Task<TimeSpan> PauseAsync(CancellationToken cancellationToken)
    {
        TimeSpan drained = await EndLoadAsync(cancellationToken).ConfigureAwait(false);
        await coordinator.EnterAsync(RunPhase.Paused).ConfigureAwait(false);
        return drained;
    }

    private async Task<TimeSpan> EndLoadAsync(CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        Recorder.Enter(RunPhase.Drain);
        _clients!.Pause();
        await DrainAsync(cancellationToken).ConfigureAwait(false);
        Recorder.Enter(RunPhase.Paused);
        return Stopwatch.GetElapsedTime(begin);
    }

    private async Task MeasureAsync(TimeSpan duration, int parts, CancellationToken cancellationToken)
    {
        if (coordinator.HasOthers)
        {
            await AllInStepAsync(cancellationToken).ConfigureAwait(false);
        }

        _figures.BeginMeasurement();
        long start = Stopwatch.GetTimestamp();
        Task notified = coordinator.EnterAsync(RunPhase.Measure);
        _figures.BeginTimeline();
        var watch = new RateWatch(Recorder, RunPhase.Measure);
        await notified.ConfigureAwait(false);
        if (_endsWhenDone)
        {
            // Not before the server counts.
            await AllInStepAsync(cancellationToken).ConfigureAwait(false);
            start = Stopwatch.GetTimestamp();
            _figures.BeginPart(start);
            StartLoad();
        }

        bool isLast = false;
        for (int part = 1; !isLast; part++)
        {
            await MeasureUntilAsync(start, duration * part / parts, duration, watch, cancellationToken).ConfigureAwait(false);
            isLast = part == parts || cancellationToken.IsCancellationRequested;
            _figures.EndPart(isLast ? AfterMeasure : RunPhase.Measure);
        }

        notified = coordinator.EnterAsync(RunPhase.Drain);
        _figures.EndMeasurement();
        await notified.ConfigureAwait(false);
        if (AfterMeasure == RunPhase.Hold && !_isInFlight)
        {
            await AllInStepAsync(cancellationToken).ConfigureAwait(false);
            Recorder.Enter(RunPhase.Drain);
        }

        coordinator.Report(new RunProgress(RunPhase.Drain, TimeSpan.Zero, null, 0));
    }

    private async Task MeasureUntilAsync(long start, TimeSpan end, TimeSpan length, RateWatch watch, CancellationToken cancellationToken)
    {
        TimeSpan interval = _endsWhenDone ? s_check : s_reportInterval;
        while (end - Stopwatch.GetElapsedTime(start) is var left
            && left > TimeSpan.Zero
            && !(_endsWhenDone && _handler!.IsDone)
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < interval ? left : interval, cancellationToken).ConfigureAwait(false);
            RequireServer();
            watch.Read();
            meter.CountThreads();
            coordinator.Report(new RunProgress(RunPhase.Measure, Stopwatch.GetElapsedTime(start), length, watch.Rate));
        }
    }

    private void RequireServer()
    {
        if (EndsWithServer && Recorder.Errors().GetValueOrDefault(RunRecorder.ServerLost) >= plan.Clients)
        {
            throw new BenchmarkException($"The run failed: all clients lost the server at {_server}.");
        }
    }

    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        TimeSpan deadline = cancellationToken.IsCancellationRequested ? s_abortedDrain : plan.LossDeadline + TimeSpan.FromSeconds(1);
        long start = Stopwatch.GetTimestamp();
        await WaitUntilAsync(() => !IsDraining || Stopwatch.GetElapsedTime(start) >= deadline, CancellationToken.None).ConfigureAwait(false);
        if (plan.Impairment.Duplicate > 0)
        {
            // The copy of the last answer comes behind it, by up to twice the jitter more each way.
            await WaitAsync(s_copyAllowance + (4 * plan.Impairment.Jitter), CancellationToken.None).ConfigureAwait(false);
        }

        _figures.EndDrain();
    }

    private async Task AllInStepAsync(CancellationToken cancellationToken)
    {
        try
        {
            await coordinator.StepAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The load is ended early, and its figures so far are kept.
            return;
        }
    }

    private async Task WaitUntilAsync(Func<bool> isOver, CancellationToken cancellationToken)
    {
        while (!isOver() && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(s_check, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task WaitAsync(TimeSpan length, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // Task.Delay cuts off parts of a millisecond: waits for the last one would return at once, and the loop around them would take a core.
        Task delay = Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(length.TotalMilliseconds)), over.Token);
        if (await Task.WhenAny(delay, Recorder.Fault).ConfigureAwait(false) == Recorder.Fault)
        {
            await over.CancelAsync().ConfigureAwait(false);
            Exception reason = await Recorder.Fault.ConfigureAwait(false);
            throw new BenchmarkException($"The run failed: {reason.Message}", reason);
        }
    }
}
