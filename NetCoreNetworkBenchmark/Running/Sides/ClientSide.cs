using System.Diagnostics;
using System.Net;
using System.Runtime;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// The clients of a run: they connect, warm up, measure and drain, all at once or in slices with pauses between them. Each phase has a deadline.
/// Cancelling ends the current phase and keeps the figures measured so far.
/// </summary>
internal sealed class ClientSide(
    RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter, TlsCredentials? credentials = null) : IAsyncDisposable
{
    private static readonly TimeSpan s_reportInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_abortedDrain = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_doneCheck = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_copyAllowance = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_fillCheck = TimeSpan.FromMilliseconds(1);

    // A load that is not full after this time, for example because its messages are lost, is measured as it is.
    private static readonly TimeSpan s_mostFill = TimeSpan.FromSeconds(2);

    private readonly RunRecorder _recorder = new(openLoop: plan.Rate is not null && workload.LatencyKind == LatencyKind.RoundTrip)
    {
        ExpectsDisconnects = plan.Liveness.Reconnect is not null,
    };

    private readonly bool _isOneWay = workload.LatencyKind == LatencyKind.OneWay;
    private readonly bool _endsWhenDone = workload.EndsWhenDone(plan);
    private UseCounter _measured = new(meter);
    private UseCounter _idle = new(meter);
    private readonly List<IterationResult> _iterations = [];
    private TimelineSampler? _timeline;

    // Null if messages are counted when they arrive.
    private DueCounting? _byDue;
    private IClientLoad? _handler;
    private IClientGroup? _clients;
    private IPEndPoint? _server;
    private TimeSpan _connecting;
    private DateTimeOffset _startedAt;
    private TimeSpan _warmUp;
    private bool _warmUpWasSteady;
    private bool _staysInFlight;
    private TimeSpan _ran;

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Called, and waited for, when a measurement begins and when it has ended, and when the load is paused and resumed.</summary>
    public Func<RunPhase, Task>? Entered { get; init; }

    /// <summary>
    /// Ends when all drivers of the run have done the same step and the server has been notified of it; null if neither takes any time. The load goes on
    /// meanwhile.
    /// </summary>
    public Func<CancellationToken, Task>? InStep { get; init; }

    /// <summary>Whether other drivers run at the same time, so that each measurement begins when all loads are warm.</summary>
    public bool HasOthers { get; init; }

    /// <summary>Whether the load breaks off when all clients have lost the server. Otherwise, somebody else notices its end.</summary>
    public bool EndsWithServer { get; init; }

    /// <summary>Connects the clients.</summary>
    /// <exception cref="BenchmarkException">Not all clients connected before the deadline.</exception>
    public async Task ConnectAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        Progress?.Invoke(new RunProgress(RunPhase.Connect, TimeSpan.Zero, null, 0));
        _server = server;
        _recorder.SharesClockOfServer = ThisMachine.Has(server.Address);
        _byDue = plan.Rate is not null && HasLatency ? new DueCounting(_recorder) : null;
        _handler = workload.CreateLoad(plan, _recorder);
        long start = Stopwatch.GetTimestamp();
        _clients = await library.ConnectAsync(
            new ClientSetup
            {
                EndPoint = server,
                Group = MulticastGroup.Of(plan),
                Listens = _isOneWay,
                Plan = workload.PlanForAdapters(plan.ForClients()),
                Credentials = credentials,
                Handler = (_handler as IClientHandler)!,
                Connections = _handler as IConnectionHandler,
                Recorder = _recorder,
            },
            cancellationToken).ConfigureAwait(false);
        _connecting = Stopwatch.GetElapsedTime(start);
        meter.CountApart(_clients.Threads);
    }

    /// <summary>Runs the load and returns the figures. The clients are still connected then.</summary>
    /// <exception cref="BenchmarkException">A thread of the run broke down.</exception>
    public async Task<ClientReport> LoadAsync(CancellationToken cancellationToken)
    {
        if (!_endsWhenDone)
        {
            await WarmUpAsync(cancellationToken).ConfigureAwait(false);
        }

        _byDue?.Reserve(plan.Duration, TimelineSampler.IntervalOf(plan.Duration));
        CollectGarbage();
        await MeasureAsync(plan.Duration, plan.Iterations, cancellationToken).ConfigureAwait(false);
        await DrainAsync(cancellationToken).ConfigureAwait(false);
        return Report(cancellationToken.IsCancellationRequested);
    }

    /// <summary>
    /// Resumes the load, lets it settle, measures it for a while, and pauses it again. A load that stayed in flight is already full. Any other is measured when
    /// it is full again: there are as many answers as messages can be in flight; in an open loop, and if the clients listen, one message for each client. A
    /// load that ends by itself is measured from its first message to its end. Without a measurement, the load is only paused.
    /// </summary>
    /// <param name="request">The lengths of the parts.</param>
    /// <param name="cancellationToken">Ends the slice early.</param>
    /// <exception cref="BenchmarkException">A thread of the run broke down.</exception>
    public async Task<SliceReport> SliceAsync(SliceRequest request, CancellationToken cancellationToken)
    {
        if (request.MeasureSeconds is not { } seconds)
        {
            return await RestAsync(request, cancellationToken).ConfigureAwait(false);
        }

        if (request.IsWarmUp)
        {
            return await WarmUpAndPauseAsync(seconds, cancellationToken).ConfigureAwait(false);
        }

        if (request.Restarts)
        {
            await RestartAsync().ConfigureAwait(false);
        }

        TimeSpan settled = await ResumeAsync(request, cancellationToken).ConfigureAwait(false);
        _staysInFlight = request.StaysInFlight;
        TimeSpan compiled = JitInfo.GetCompilationTime();
        TimeSpan length = _endsWhenDone ? plan.Duration : TimeSpan.FromSeconds(seconds);
        _byDue?.Reserve(length, TimelineSampler.IntervalOf(plan.Duration));
        await MeasureAsync(length, 1, cancellationToken).ConfigureAwait(false);
        compiled = JitInfo.GetCompilationTime() - compiled;
        TimeSpan drained = TimeSpan.Zero;
        if (_staysInFlight)
        {
            _recorder.Enter(RunPhase.Hold);
            _recorder.Suspend();
        }
        else
        {
            drained = await PauseAsync(cancellationToken).ConfigureAwait(false);
            _idle.Begin();
        }

        IterationResult measured = _iterations[^1];
        _ran += settled + TimeSpan.FromSeconds(measured.Seconds) + drained;
        return new SliceReport(measured.Seconds, measured.Messages, settled.TotalSeconds, drained.TotalSeconds, compiled.TotalSeconds);
    }

    /// <summary>Returns the figures of all measurements so far, which have drained.</summary>
    /// <param name="aborted">Whether the user has ended the run.</param>
    public ClientReport Report(bool aborted)
    {
        _idle.End();
        if (_server is not null && PathPackets.RemarkOn(plan, library.Info, _server) is { } remark)
        {
            _recorder.Remark(remark);
        }

        MessageCounters measured = Count(RunPhase.Measure);
        return new ClientReport
        {
            LibraryVersion = library.Info.Version,
            Clients = plan.Clients,
            ConnectSeconds = _connecting.TotalSeconds,
            Threads = library.Info.Over(plan.Protocol).ClientThreadsByPlan ? plan.UsedClientThreads : null,
            Pinning = CoreAffinity.ReadBack(plan.Pinning.ClientCores),
            Remarks = _recorder.Remarks(),
            StartedAt = _startedAt,
            WarmUpSeconds = _warmUp.TotalSeconds,
            WarmUpSteady = _warmUpWasSteady,
            DurationSeconds = _iterations.Sum(iteration => iteration.Seconds),
            Measured = measured,
            AfterStart = Count(RunPhase.Measure, RunPhase.Hold, RunPhase.Drain),
            Whole = Count(Enum.GetValues<RunPhase>()),
            Errors = _recorder.Errors(),
            Reconnections = plan.Liveness.Reconnect is null ? null : ReconnectionReport.Of(_recorder),
            Handshakes = TlsHandshakes.Of(_recorder.Handshakes()),
            Iterations = _iterations,
            Aborted = aborted,
            Cost = (_measured.CostOf(measured.ClientReceived) ?? meter.Between(meter.Read(), meter.Read(), messages: 0)) with
            {
                StoppedSeconds = _timeline?.Stopped.TotalSeconds,
            },
            Idle = _idle.CostOf(messages: 0),
            LatencyKind = workload.LatencyKind,
            Latency = HasLatency ? LatencyReport.Of(_recorder.Latency(RunPhase.Measure)) : new LatencyReport(null, null),
            Uncorrected = plan.Rate is null || _isOneWay ? null : LatencyReport.Of(_recorder.Uncorrected(RunPhase.Measure)),
            Parts = [.. _handler!.Parts.Select(part => new NamedLatency(part.Name, LatencyReport.Of(part.Histogram)))],
            Distributions = [.. _handler.Distributions.Select(found => new NamedLatency(found.Name, LatencyReport.Of(found.Histogram)))],
            ReceivedByClient = _handler.ReceivedByClient,
            Figures = _handler.Figures,
            Machine = _measured.Machine,
            GarbageCollector = MachineInspector.GarbageCollector,
            Jit = MachineInspector.Jit,
            Timeline = _timeline?.Report(),
        };
    }

    /// <summary>Enters the stop phase. From here on, a connection that ends is not an error.</summary>
    public void EnterStop() => _recorder.Enter(RunPhase.Stop);

    public async ValueTask DisposeAsync()
    {
        EnterStop();
        _timeline?.End();
        if (_clients is not null)
        {
            await _clients.DisposeAsync().ConfigureAwait(false);
        }

        _recorder.Dispose();
    }

    private MessageCounters Count(params ReadOnlySpan<RunPhase> phases) => _byDue?.Count(phases) ?? _recorder.Count(phases);

    private void StartLoad()
    {
        _handler!.OnStarting();
        _clients!.Start();
    }

    // Garbage of the start must not be collected during the measurement, because it would count as the library's.
    private static void CollectGarbage() => GC.Collect();

    private async Task WarmUpAsync(CancellationToken cancellationToken)
    {
        _recorder.Enter(RunPhase.WarmUp);
        long begin = Stopwatch.GetTimestamp();
        StartLoad();
        var rule = new SteadyRate();
        var watch = new RateWatch(_recorder, RunPhase.WarmUp);
        long start = Stopwatch.GetTimestamp();
        TimeSpan longest = _endsWhenDone ? plan.Duration : plan.WarmUp;
        while (!rule.IsSteady
            && !(_endsWhenDone && _handler!.IsDone)
            && longest - Stopwatch.GetElapsedTime(start) is var left
            && left > TimeSpan.Zero
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < SteadyRate.Bin ? left : SteadyRate.Bin, cancellationToken).ConfigureAwait(false);
            rule.Add(watch.Look(), watch.Bin);
            Progress?.Invoke(new RunProgress(RunPhase.WarmUp, Stopwatch.GetElapsedTime(start), longest, watch.Rate));
        }

        (_warmUp, _warmUpWasSteady) = (_warmUp + Stopwatch.GetElapsedTime(begin), rule.IsSteady);
    }

    private async Task<SliceReport> WarmUpAndPauseAsync(double seconds, CancellationToken cancellationToken)
    {
        await ToldAsync(RunPhase.WarmUp).ConfigureAwait(false);
        if (_endsWhenDone)
        {
            await WarmUpAsync(cancellationToken).ConfigureAwait(false);
        }
        else
        {
            long begin = Stopwatch.GetTimestamp();
            _recorder.Enter(RunPhase.WarmUp);
            StartLoad();
            await WaitUntilAsync(() => Stopwatch.GetElapsedTime(begin).TotalSeconds >= seconds, cancellationToken).ConfigureAwait(false);
            _warmUp += Stopwatch.GetElapsedTime(begin);
        }

        TimeSpan drained = await PauseAsync(cancellationToken).ConfigureAwait(false);
        CollectGarbage();

        // The pause before another warm-up does not count: the runtime compiles what was warm.
        _idle = new UseCounter(meter);
        _idle.Begin();
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }

    private async Task<SliceReport> RestAsync(SliceRequest request, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        TimeSpan drained = TimeSpan.Zero;
        _recorder.Resume();
        if (_staysInFlight)
        {
            _recorder.Enter(RunPhase.Drain);
        }

        await WaitUntilAsync(() => Stopwatch.GetElapsedTime(begin).TotalSeconds >= request.SettleSeconds, cancellationToken).ConfigureAwait(false);
        if (_staysInFlight && !request.StaysInFlight)
        {
            // The end of the load, and no pause whose cost is counted.
            drained = await EndLoadAsync(cancellationToken).ConfigureAwait(false);
        }
        else if (request.StaysInFlight)
        {
            _recorder.Suspend();
        }

        _staysInFlight = false;
        return new SliceReport(0, 0, 0, drained.TotalSeconds, 0);
    }

    private async Task RestartAsync()
    {
        _recorder.Restart();
        _warmUp = _ran;
        _iterations.Clear();
        _timeline = null;
        _measured = new UseCounter(meter);
        _idle = new UseCounter(meter);
        CollectGarbage();
        await ToldAsync(RunPhase.Connect).ConfigureAwait(false);
    }

    private async Task<TimeSpan> ResumeAsync(SliceRequest request, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        var settling = TimeSpan.FromSeconds(request.SettleSeconds);
        _idle.End();
        _recorder.Resume();
        if (_staysInFlight)
        {
            _recorder.Enter(RunPhase.WarmUp);
            await WaitUntilAsync(() => Stopwatch.GetElapsedTime(begin) >= settling, cancellationToken).ConfigureAwait(false);
            return Stopwatch.GetElapsedTime(begin);
        }

        await ToldAsync(RunPhase.WarmUp).ConfigureAwait(false);
        if (_endsWhenDone)
        {
            // Its measurement begins with the first message.
            return TimeSpan.Zero;
        }

        // A load that stays in flight is full after its warm-up.
        long window = plan.Clients * (plan.Rate is null && !_isOneWay ? (long)plan.ParallelMessages : 1);
        long full = request.StaysInFlight && !request.Restarts ? 0 : _recorder.Count(RunPhase.WarmUp).ClientReceived + window;
        _recorder.Enter(RunPhase.WarmUp);
        StartLoad();
        await WaitUntilAsync(
            () => (_recorder.Count(RunPhase.WarmUp).ClientReceived >= full && Stopwatch.GetElapsedTime(begin) >= settling)
                || Stopwatch.GetElapsedTime(begin) >= s_mostFill + settling,
            cancellationToken).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(begin);
    }

    private async Task WaitUntilAsync(Func<bool> isOver, CancellationToken cancellationToken)
    {
        while (!isOver() && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(s_fillCheck, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<TimeSpan> PauseAsync(CancellationToken cancellationToken)
    {
        TimeSpan drained = await EndLoadAsync(cancellationToken).ConfigureAwait(false);
        await ToldAsync(RunPhase.Paused).ConfigureAwait(false);
        return drained;
    }

    private async Task<TimeSpan> EndLoadAsync(CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        _recorder.Enter(RunPhase.Drain);
        _clients!.Pause();
        await DrainAsync(cancellationToken).ConfigureAwait(false);
        _recorder.Enter(RunPhase.Paused);
        return Stopwatch.GetElapsedTime(begin);
    }

    private async Task MeasureAsync(TimeSpan duration, int parts, CancellationToken cancellationToken)
    {
        _timeline ??= new TimelineSampler(_recorder, meter, counters => counters.ClientReceived, HasLatency, _byDue is not null);
        if (HasOthers)
        {
            await AllInStepAsync(cancellationToken).ConfigureAwait(false);
        }

        _startedAt = _startedAt == default ? DateTimeOffset.UtcNow : _startedAt;
        long counted = _recorder.Count(RunPhase.Measure).ClientReceived;
        _measured.Begin();
        long since = _recorder.Enter(RunPhase.Measure);
        long start = Stopwatch.GetTimestamp();
        Task told = ToldAsync(RunPhase.Measure);
        _timeline.Begin(TimelineSampler.IntervalOf(plan.Duration));
        var watch = new RateWatch(_recorder, RunPhase.Measure);
        await told.ConfigureAwait(false);
        if (_endsWhenDone)
        {
            start = Stopwatch.GetTimestamp();
            since = start + (long)(RunRecorder.Notice.TotalSeconds * Stopwatch.Frequency);
            StartLoad();
        }

        bool isLast = false;
        for (int part = 1; !isLast; part++)
        {
            await MeasureUntilAsync(start, duration * part / parts, duration, watch, cancellationToken).ConfigureAwait(false);

            // This comes before the last look, so that the parts add up to the whole.
            isLast = part == parts || cancellationToken.IsCancellationRequested;
            long end = _recorder.Enter(isLast ? AfterMeasure : RunPhase.Measure);
            long received = _recorder.Count(RunPhase.Measure).ClientReceived;
            _iterations.Add(new IterationResult(Stopwatch.GetElapsedTime(since, end).TotalSeconds, received - counted));
            _byDue?.Begin(since);
            (since, counted) = (end, received);
        }

        told = ToldAsync(RunPhase.Drain);
        _timeline.End();
        _measured.End();
        await told.ConfigureAwait(false);
        if (AfterMeasure == RunPhase.Hold && !_staysInFlight)
        {
            await AllInStepAsync(cancellationToken).ConfigureAwait(false);
            _recorder.Enter(RunPhase.Drain);
        }

        Progress?.Invoke(new RunProgress(RunPhase.Drain, TimeSpan.Zero, null, 0));
    }

    private async Task MeasureUntilAsync(long start, TimeSpan end, TimeSpan length, RateWatch watch, CancellationToken cancellationToken)
    {
        TimeSpan interval = _endsWhenDone ? s_doneCheck : s_reportInterval;
        while (end - Stopwatch.GetElapsedTime(start) is var left
            && left > TimeSpan.Zero
            && !(_endsWhenDone && _handler!.IsDone)
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < interval ? left : interval, cancellationToken).ConfigureAwait(false);
            RequireServer();
            watch.Look();
            meter.LookAtThreads();
            Progress?.Invoke(new RunProgress(RunPhase.Measure, Stopwatch.GetElapsedTime(start), length, watch.Rate));
        }
    }

    private void RequireServer()
    {
        if (EndsWithServer && _recorder.Errors().GetValueOrDefault(RunRecorder.ServerLost) >= plan.Clients)
        {
            throw new BenchmarkException($"The run failed: all clients lost the server at {_server}.");
        }
    }

    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        TimeSpan deadline = cancellationToken.IsCancellationRequested ? s_abortedDrain : plan.LossDeadline + TimeSpan.FromSeconds(1);
        long start = Stopwatch.GetTimestamp();
        while (IsDraining && Stopwatch.GetElapsedTime(start) < deadline)
        {
            await WaitAsync(s_doneCheck, CancellationToken.None).ConfigureAwait(false);
        }

        if (plan.Impairment.Duplicate > 0)
        {
            // The copy of the last answer comes behind it, by up to twice the jitter more each way.
            await WaitAsync(s_copyAllowance + (4 * plan.Impairment.Jitter), CancellationToken.None).ConfigureAwait(false);
        }

        _byDue?.Complete(_iterations);
        _timeline?.Complete();
    }

    // The time of one way is known if both ends read one clock.
    private bool HasLatency => !_isOneWay || _recorder.SharesClockOfServer;

    private bool IsDraining => _isOneWay ? _handler!.Awaited > 0 : _recorder.InFlight() > 0 || _byDue is { HasUnsent: true };

    // A load that stays in flight goes on. So does any other until all drivers have measured and the server has ended its count: otherwise the time
    // that this takes would be a part of the server's interval without load.
    private RunPhase AfterMeasure => _endsWhenDone && !_staysInFlight ? RunPhase.Drain : RunPhase.Hold;

    private async Task AllInStepAsync(CancellationToken cancellationToken)
    {
        try
        {
            await (InStep?.Invoke(cancellationToken) ?? Task.CompletedTask).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The load is ended early, and its figures so far are kept.
            return;
        }
    }

    private Task ToldAsync(RunPhase phase) => Entered?.Invoke(phase) ?? Task.CompletedTask;

    private async Task WaitAsync(TimeSpan length, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // Task.Delay cuts off parts of a millisecond: waits for the last one would return at once, and the loop around them would take a core.
        Task delay = Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(length.TotalMilliseconds)), over.Token);
        if (await Task.WhenAny(delay, _recorder.Fault).ConfigureAwait(false) == _recorder.Fault)
        {
            await over.CancelAsync().ConfigureAwait(false);
            Exception reason = await _recorder.Fault.ConfigureAwait(false);
            throw new BenchmarkException($"The run failed: {reason.Message}", reason);
        }
    }
}
