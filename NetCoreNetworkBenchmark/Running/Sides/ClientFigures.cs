using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Each part of the measurement, and each slice, is an iteration of the report.</summary>
internal sealed class ClientFigures : IDisposable
{
    private readonly RunPlan _plan;
    private readonly LibraryInfo _library;
    private readonly ProcessMeter _meter;
    private readonly IPEndPoint _server;
    private readonly LatencyKind _latencyKind;

    // The time of one way is known if both ends read one clock.
    private readonly bool _hasLatency;

    // Null if messages are counted when they arrive.
    private readonly DueCounting? _byDue;
    private readonly List<IterationResult> _iterations = [];

    // The answers that had arrived, to messages of any phase, at the begin of the measurement and at the end of each part; empty if all parts have one rate.
    private readonly List<long> _arrived = [];
    private UseCounter _measured;
    private UseCounter _idle;
    private TimelineSampler? _timeline;
    private TimeSpan _connecting;
    private DateTimeOffset _startedAt;
    private TimeSpan _warmUp;
    private bool _warmUpWasSteady;
    private TimeSpan _ran;
    private long _partBegan;
    private long _counted;
    private RecentLatencies? _latenciesOfSlice;
    private MessageCounters _countedSlices;

    // What was counted after the slices that are a part of the warm-up.
    private MessageCounters _discarded;

    public ClientFigures(RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter, IPEndPoint server)
    {
        (_plan, _library, _meter, _server, _latencyKind) = (plan, library.Info, meter, server, workload.LatencyKind);
        bool isOneWay = _latencyKind == LatencyKind.OneWay;
        Recorder = new RunRecorder(openLoop: plan.Rate is not null && !isOneWay)
        {
            ExpectsDisconnects = plan.ExpectsDisconnects,
            SharesClockOfServer = ThisMachine.HasAddress(server.Address),
        };
        _hasLatency = !isOneWay || Recorder.SharesClockOfServer;
        _byDue = plan.Rate is not null && _hasLatency ? new DueCounting(Recorder) : null;
        (_measured, _idle) = (new UseCounter(meter), new UseCounter(meter));
    }

    public RunRecorder Recorder { get; }
    public bool HasUnsent => _byDue is { HasUnsent: true };

    public void EndConnecting(TimeSpan length, IClientGroup clients)
    {
        _connecting = length;
        _meter.CountSeparately(clients.Threads);
    }

    public void AddWarmUp(TimeSpan length, bool isSteady) => (_warmUp, _warmUpWasSteady) = (_warmUp + length, isSteady);

    /// <param name="discardsEarlier">Whether the JIT compiler was still recompiling hot code in the pauses so far, which then do not count.</param>
    public void BeginPause(bool discardsEarlier = false)
    {
        _idle = discardsEarlier ? new UseCounter(_meter) : _idle;
        _idle.Begin();
    }

    public void EndPause() => _idle.End();

    /// <summary>Counts the slices so far as a part of the warm-up, and discards their figures.</summary>
    public void Restart()
    {
        Recorder.Restart();
        _latenciesOfSlice?.Restart();
        _countedSlices = default;
        _discarded = Count(RunPhase.CoolDown, RunPhase.Drain);
        _warmUp = _ran;
        _startedAt = default;
        _iterations.Clear();
        _timeline?.Clear();
        _measured = new UseCounter(_meter);
        _idle = new UseCounter(_meter);
    }

    /// <summary>Lets the measurement run without allocating.</summary>
    public void Prepare(TimeSpan length)
    {
        _byDue?.Reserve(length, TimelineSampler.IntervalOf(_plan.Duration), rates: _plan.LastRate is null ? 1 : _plan.Iterations);
        _timeline ??= new TimelineSampler(Recorder, _meter, counters => counters.ClientReceived, _hasLatency, _byDue is not null);
    }

    public void BeginMeasurement()
    {
        _startedAt = _startedAt == default ? DateTimeOffset.UtcNow : _startedAt;
        _counted = Recorder.Count(RunPhase.Measure).ClientReceived;
        CountArrived();
        _measured.Begin();
        _partBegan = Recorder.Enter(RunPhase.Measure);
    }

    public void BeginTimeline() => _timeline!.Begin(TimelineSampler.IntervalOf(_plan.Duration));

    /// <param name="started">The load starts with the measurement, and is noticed a moment later.</param>
    public void BeginPart(long started) => _partBegan = started + RunRecorder.ToTicks(RunRecorder.Notice);

    /// <summary>A part ends when the next phase begins, so that the parts add up to the whole.</summary>
    public void EndPart(RunPhase next)
    {
        long end = Recorder.Enter(next);
        long received = Recorder.Count(RunPhase.Measure).ClientReceived;
        _iterations.Add(new IterationResult(Stopwatch.GetElapsedTime(_partBegan, end).TotalSeconds, received - _counted));
        CountArrived();
        _byDue?.Begin(_partBegan);
        (_partBegan, _counted) = (end, received);
    }

    public void EndMeasurement()
    {
        _timeline!.End();
        _measured.End();
    }

    public void EndDrain()
    {
        _byDue?.Complete(_iterations);
        _timeline?.Complete();
    }

    public SliceReport EndSlice(TimeSpan settled, TimeSpan drained, TimeSpan compiled)
    {
        MessageCounters all = Count(RunPhase.Measure);
        MessageCounters counters = all;
        counters.Subtract(_countedSlices);
        _countedSlices = all;
        double lateShare = counters.ClientSent > 0 ? (double)counters.SentLate / counters.ClientSent : 0;
        _iterations[^1] = _iterations[^1] with { IsLate = lateShare > SliceSeries.MaxLate };
        IterationResult last = _iterations[^1];
        _ran += settled + TimeSpan.FromSeconds(last.Seconds) + drained;
        RecentLatencies? latencies = _hasLatency ? _latenciesOfSlice ??= new RecentLatencies(Recorder) : null;
        latencies?.Read();
        return new SliceReport(last.Seconds, last.Messages, settled.TotalSeconds, drained.TotalSeconds, compiled.TotalSeconds)
        {
            LateShare = lateShare,
            P50Microseconds = latencies?.AtPercentile(50) / 1_000.0,
            P99Microseconds = latencies?.AtPercentile(99) / 1_000.0,
        };
    }

    public ClientReport Report(IClientLoad load, bool aborted)
    {
        _idle.End();
        if (PathPackets.RemarkOn(_plan, _library, _server) is { } remark)
        {
            Recorder.Remark(remark);
        }

        // Computing them may add remarks.
        IReadOnlyList<WorkloadFigure> figures = load.ComputeFigures();
        MessageCounters counters = Count(RunPhase.Measure);
        MessageCounters afterStart = Count(RunPhase.Measure, RunPhase.CoolDown, RunPhase.Drain);
        afterStart.Subtract(_discarded);
        return new ClientReport
        {
            LibraryVersion = _library.Version,
            Clients = _plan.Clients,
            ConnectSeconds = _connecting.TotalSeconds,
            Threads = _library.Over(_plan.Protocol).ClientThreadsByPlan ? _plan.UsedClientThreads : null,
            Pinning = CoreAffinity.ReadBack(_plan.Pinning.ClientCores),
            Remarks = Recorder.Remarks(),
            StartedAt = _startedAt,
            WarmUpSeconds = _warmUp.TotalSeconds,
            WarmUpSteady = _warmUpWasSteady,
            DurationSeconds = _iterations.Sum(iteration => iteration.Seconds),
            Measured = counters,
            AfterStart = afterStart,
            Whole = Count(Enum.GetValues<RunPhase>()),
            Errors = Recorder.Errors(),
            Disconnects = Recorder.Disconnects() is { Count: > 0 } ended ? ended : null,
            Reconnections = _plan.Liveness.Reconnect is null ? null : ReconnectionsOf(Recorder),
            Handshakes = Recorder.Handshakes(),
            Iterations = _plan.LastRate is null ? _iterations : [.. _iterations.Select((part, index) => part with { Step = StepOf(index, aborted) })],
            Aborted = aborted,
            Cost = (_measured.CostOf(counters.ClientReceived) ?? NoCostAt(_meter.Read())) with
            {
                StoppedSeconds = _timeline?.Stopped.TotalSeconds,
            },
            Idle = _idle.CostOf(messages: 0),
            LatencyKind = _latencyKind,
            Latency = _hasLatency ? LatencyReport.From(Recorder.Latency()) : new LatencyReport(null, null),
            Uncorrected = _plan.Rate is null || _latencyKind == LatencyKind.OneWay ? null : LatencyReport.From(Recorder.Uncorrected()),
            Parts = [.. load.Parts.Select(part => new NamedLatency(part.Name, LatencyReport.From(part.Histogram)))],
            Distributions =
            [
                .. load.Distributions.Select(distribution => new NamedLatency(distribution.Name, LatencyReport.From(distribution.Histogram))),
            ],
            ReceivedByClient = load.ReceivedByClient,
            Figures = figures,
            Machine = _measured.Machine,
            GarbageCollector = MachineInspector.GarbageCollector,
            Jit = MachineInspector.Jit,
            Timeline = _timeline?.Report(),
        };
    }

    public void Dispose()
    {
        _timeline?.Dispose();
        Recorder.Dispose();
    }

    private static ReconnectionReport ReconnectionsOf(RunRecorder recorder)
    {
        (long lost, long attempts, long returned, LatencyHistogram gaps) = recorder.Reconnections.Read();
        return new ReconnectionReport(lost, attempts, returned, LatencyReport.From(gaps), recorder.Disconnects());
    }

    private ProcessCost NoCostAt(ProcessSnapshot moment) => _meter.CostOf(moment.Since(moment), messages: 0);

    private void CountArrived()
    {
        if (_plan.LastRate is not null)
        {
            _arrived.Add(Recorder.Count(Enum.GetValues<RunPhase>()).ClientReceived);
        }
    }

    private RateStep StepOf(int part, bool aborted)
    {
        bool isLast = part == _iterations.Count - 1;
        MessageCounters counters = Recorder.CountOfStep(part);
        long unsent = isLast ? Recorder.Sum(worker => worker.Waiting) : 0;

        // A message that is still in flight after the drain is lost. Only a run that was cut short cannot determine this. If a thread notices a part after the
        // part has begun, a message may be sent in the part before, and answered in this one.
        long lost = Math.Max(0, aborted ? counters.Lost : counters.ClientSent - counters.ClientReceived);
        return new RateStep(
            SendSchedule.From(_plan)!.RateOf(part),
            counters.ClientSent + unsent,
            _arrived[part + 1] - _arrived[part],
            lost + unsent,
            counters.SentLate + unsent,
            LatencyReport.From(Recorder.LatencyOfPart(part)));
    }

    private MessageCounters Count(params ReadOnlySpan<RunPhase> phases) => _byDue?.Count(phases) ?? Recorder.Count(phases);
}

/// <summary>Counts messages by the part in which they were due. The numbers are known when the measurement has drained.</summary>
internal sealed class DueCounting(RunRecorder recorder)
{
    // The begins of the parts since the last drain.
    private readonly List<long> _begins = [];

    public bool HasUnsent => recorder.Sum(worker => worker.HasUnsent ? 1 : 0) > 0;

    public void Reserve(TimeSpan length, TimeSpan interval, int rates)
    {
        // The last part is not whole, and the measurement may be longer by a little.
        const int MoreParts = 2;
        recorder.Reserve(interval, (int)(length / interval) + MoreParts, rates);
    }

    public void Begin(long since) => _begins.Add(since);

    /// <summary>Called when the measurement has drained.</summary>
    public void Complete(List<IterationResult> iterations)
    {
        int first = iterations.Count - _begins.Count;
        for (int part = 0; part < _begins.Count; part++)
        {
            long since = _begins[part];
            iterations[first + part] = iterations[first + part] with { Messages = recorder.Sum(worker => worker.ReceivedSince(since)) };
        }

        _begins.Clear();
    }

    /// <summary>A message that was due and could not be sent before the end of the drain counts as sent late and lost.</summary>
    public MessageCounters Count(params ReadOnlySpan<RunPhase> phases)
    {
        MessageCounters counters = recorder.Count(phases);
        long unsent = recorder.Sum(worker => worker.Waiting);
        counters.ClientSent += unsent;
        counters.SentLate += unsent;
        counters.GivenUp += unsent;
        return counters;
    }
}
