using System.Diagnostics;
using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// The clients of a run: they connect, warm up, measure and drain. Each phase has a deadline. Cancelling ends the current phase
/// and keeps the figures measured so far.
/// </summary>
internal sealed class ClientSide(
    RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter, TlsCredentials? credentials = null) : IAsyncDisposable
{
    private static readonly TimeSpan s_reportInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan s_abortedDrain = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_doneCheck = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan s_copyAllowance = TimeSpan.FromMilliseconds(100);

    private readonly RunRecorder _recorder = new(openLoop: plan.Rate is not null && workload.LatencyKind == LatencyKind.RoundTrip);
    private readonly bool _isOneWay = workload.LatencyKind == LatencyKind.OneWay;
    private IClientHandler? _handler;
    private IClientGroup? _clients;
    private TimeSpan _connecting;
    private bool _oneClock;

    /// <summary>Called now and then with the progress of the run.</summary>
    public Action<RunProgress>? Progress { get; init; }

    /// <summary>Called, and waited for, when the measurement begins and when it has ended.</summary>
    public Func<RunPhase, Task>? Entered { get; init; }

    /// <summary>Connects the clients.</summary>
    /// <exception cref="BenchmarkException">Not all clients connected before the deadline.</exception>
    public async Task ConnectAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        Progress?.Invoke(new RunProgress(RunPhase.Connect, TimeSpan.Zero, null, 0));
        _oneClock = ThisMachine.Has(server.Address);
        _handler = workload.CreateClientHandler(plan, _recorder);
        long start = Stopwatch.GetTimestamp();
        _clients = await library.ConnectAsync(
            new ClientSetup
            {
                EndPoint = server,
                Group = MulticastGroup.Of(plan),
                Listens = _isOneWay,
                Plan = workload.PlanForAdapters(plan.ForClients()),
                Credentials = credentials,
                Handler = _handler,
                Recorder = _recorder,
            },
            cancellationToken).ConfigureAwait(false);
        _connecting = Stopwatch.GetElapsedTime(start);
    }

    /// <summary>Runs the load and returns the figures. The clients are still connected then.</summary>
    /// <exception cref="BenchmarkException">A thread of the run broke down.</exception>
    public async Task<ClientReport> LoadAsync(CancellationToken cancellationToken)
    {
        (TimeSpan warmUp, bool steady) = workload.EndsWhenDone ? default : await WarmUpAsync(cancellationToken).ConfigureAwait(false);

        // Garbage of the start must not be collected during the measurement, because it would count as the library's.
        GC.Collect();
        DateTimeOffset startedAt = DateTimeOffset.UtcNow;
        MachineTime? machine = MachineTime.Read();
        ProcessReading before = meter.Read();
        List<IterationResult> iterations = await MeasureAsync(cancellationToken).ConfigureAwait(false);
        ProcessReading after = meter.Read();
        MachineUse? use = MachineTime.Between(machine, MachineTime.Read());
        await ToldAsync(RunPhase.Drain).ConfigureAwait(false);
        Progress?.Invoke(new RunProgress(RunPhase.Drain, TimeSpan.Zero, null, 0));
        bool aborted = cancellationToken.IsCancellationRequested;
        await DrainAsync(aborted ? s_abortedDrain : plan.LossDeadline + TimeSpan.FromSeconds(1)).ConfigureAwait(false);
        MessageCounters measured = _recorder.Count(RunPhase.Measure);
        return new ClientReport
        {
            LibraryVersion = library.Info.Version,
            Clients = plan.Clients,
            ConnectSeconds = _connecting.TotalSeconds,
            Threads = library.Info.Over(plan.Protocol).ClientThreadsByPlan ? plan.UsedClientThreads : null,
            Pinning = CoreAffinity.ReadBack(plan.Pinning.ClientCores),
            Remarks = _recorder.Remarks(),
            StartedAt = startedAt,
            WarmUpSeconds = warmUp.TotalSeconds,
            WarmUpSteady = steady,
            DurationSeconds = iterations.Sum(iteration => iteration.Seconds),
            Measured = measured,
            AfterStart = _recorder.Count(RunPhase.Measure, RunPhase.Drain),
            Whole = _recorder.Count(Enum.GetValues<RunPhase>()),
            Errors = _recorder.Errors(),
            Handshakes = TlsHandshakes.Of(_recorder.Handshakes()),
            Iterations = iterations,
            Aborted = aborted,
            Cost = meter.Between(before, after, measured.ClientReceived),
            LatencyKind = workload.LatencyKind,
            Latency = _isOneWay && !_oneClock ? new LatencyReport(null, null) : LatencyReport.Of(_recorder.Latency(RunPhase.Measure)),
            Uncorrected = plan.Rate is null || _isOneWay ? null : LatencyReport.Of(_recorder.Uncorrected(RunPhase.Measure)),
            ReceivedByClient = _handler!.ReceivedByClient,
            Figures = _handler.Figures,
            Machine = use,
        };
    }

    /// <summary>Enters the stop phase. From here on, a connection that ends is not an error.</summary>
    public void EnterStop() => _recorder.Enter(RunPhase.Stop);

    public async ValueTask DisposeAsync()
    {
        EnterStop();
        if (_clients is not null)
        {
            await _clients.DisposeAsync().ConfigureAwait(false);
        }

        _recorder.Dispose();
    }

    private async Task<(TimeSpan Length, bool IsSteady)> WarmUpAsync(CancellationToken cancellationToken)
    {
        _recorder.Enter(RunPhase.WarmUp);
        long begin = Stopwatch.GetTimestamp();
        _clients!.Start();
        var rule = new SteadyRate();
        var watch = new RateWatch(_recorder, RunPhase.WarmUp);
        long start = Stopwatch.GetTimestamp();
        while (!rule.IsSteady
            && plan.WarmUp - Stopwatch.GetElapsedTime(start) is var left
            && left > TimeSpan.Zero
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < SteadyRate.Bin ? left : SteadyRate.Bin, cancellationToken).ConfigureAwait(false);
            rule.Add(watch.Look(), watch.Bin);
            Progress?.Invoke(new RunProgress(RunPhase.WarmUp, Stopwatch.GetElapsedTime(start), plan.WarmUp, watch.Rate));
        }

        return (Stopwatch.GetElapsedTime(begin), rule.IsSteady);
    }

    private async Task<List<IterationResult>> MeasureAsync(CancellationToken cancellationToken)
    {
        var iterations = new List<IterationResult>();
        _recorder.Enter(RunPhase.Measure);
        long start = Stopwatch.GetTimestamp();
        long iterationStart = start;
        long counted = 0;
        var watch = new RateWatch(_recorder, RunPhase.Measure);
        await ToldAsync(RunPhase.Measure).ConfigureAwait(false);
        if (workload.EndsWhenDone)
        {
            start = iterationStart = Stopwatch.GetTimestamp();
            _clients!.Start();
        }

        while (iterations.Count < plan.Iterations && !cancellationToken.IsCancellationRequested)
        {
            TimeSpan end = plan.Duration * (iterations.Count + 1) / plan.Iterations;
            await MeasureUntilAsync(start, end, watch, cancellationToken).ConfigureAwait(false);
            if (iterations.Count + 1 == plan.Iterations || cancellationToken.IsCancellationRequested)
            {
                // This comes before the last look, so that the parts add up to the whole.
                _recorder.Enter(RunPhase.Drain);
            }

            long now = Stopwatch.GetTimestamp();
            long received = _recorder.Count(RunPhase.Measure).ClientReceived;
            iterations.Add(new IterationResult(Stopwatch.GetElapsedTime(iterationStart, now).TotalSeconds, received - counted));
            (iterationStart, counted) = (now, received);
        }

        _recorder.Enter(RunPhase.Drain);
        return iterations;
    }

    private async Task MeasureUntilAsync(long start, TimeSpan end, RateWatch watch, CancellationToken cancellationToken)
    {
        TimeSpan interval = workload.EndsWhenDone ? s_doneCheck : s_reportInterval;
        while (end - Stopwatch.GetElapsedTime(start) is var left
            && left > TimeSpan.Zero
            && !(workload.EndsWhenDone && _handler!.IsDone)
            && !cancellationToken.IsCancellationRequested)
        {
            await WaitAsync(left < interval ? left : interval, cancellationToken).ConfigureAwait(false);
            watch.Look();
            meter.LookAtThreads();
            Progress?.Invoke(new RunProgress(RunPhase.Measure, Stopwatch.GetElapsedTime(start), plan.Duration, watch.Rate));
        }
    }

    private async Task DrainAsync(TimeSpan deadline)
    {
        long start = Stopwatch.GetTimestamp();
        while ((_isOneWay ? _handler!.Awaited : _recorder.InFlight()) > 0 && Stopwatch.GetElapsedTime(start) < deadline)
        {
            await WaitAsync(s_doneCheck, CancellationToken.None).ConfigureAwait(false);
        }

        if (plan.Impairment.Duplicate > 0)
        {
            // The copy of the last answer comes behind it, by up to twice the jitter more each way.
            await WaitAsync(s_copyAllowance + (4 * plan.Impairment.Jitter), CancellationToken.None).ConfigureAwait(false);
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
            throw new BenchmarkException($"The run broke off: {reason.Message}", reason);
        }
    }
}
