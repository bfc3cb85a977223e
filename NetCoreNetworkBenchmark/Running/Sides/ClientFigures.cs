using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Sides;

internal sealed class ClientFigures(RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter) : IDisposable
{
    private readonly bool _isOneWay = workload.LatencyKind == LatencyKind.OneWay;
    private readonly List<IterationResult> _iterations = [];
    private UseCounter _measured = new(meter);
    private UseCounter _idle = new(meter);
    private TimelineSampler? _timeline;

    // Null if messages are counted when they arrive.
    private DueCounting? _byDue;
    private TimeSpan _connecting;
    private DateTimeOffset _startedAt;
    private TimeSpan _warmUp;
    private bool _warmUpWasSteady;
    private TimeSpan _ran;
    private long _partBegan;
    private long _counted;

    public RunRecorder Recorder { get; } = new(openLoop: plan.Rate is not null && workload.LatencyKind == LatencyKind.RoundTrip)
    {
        ExpectsDisconnects = plan.Liveness.Reconnect is not null,
    };

    public bool HasUnsent => _byDue is { HasUnsent: true };

    // The time of one way is known if both ends read one clock.
    private bool HasLatency => !_isOneWay || Recorder.SharesClockOfServer;

    public void BeginConnecting(IPEndPoint server)
    {
        Recorder.SharesClockOfServer = ThisMachine.Has(server.Address);
        _byDue = plan.Rate is not null && HasLatency ? new DueCounting(Recorder) : null;
    }

    public void EndConnecting(TimeSpan length, IClientGroup clients)
    {
        _connecting = length;
        meter.CountApart(clients.Threads);
    }

    public void AddWarmUp(TimeSpan length, bool isSteady = false) => (_warmUp, _warmUpWasSteady) = (_warmUp + length, isSteady);

    public void BeginPause() => _idle.Begin();

    public void EndPause() => _idle.End();

    /// <summary>Begins a pause. Discards earlier pauses, in which the JIT was still recompiling hot code.</summary>
    public void RestartPause()
    {
        _idle = new UseCounter(meter);
        _idle.Begin();
    }

    public void Restart()
    {
        Recorder.Restart();
        _warmUp = _ran;
        _iterations.Clear();
        _timeline?.Clear();
        _measured = new UseCounter(meter);
        _idle = new UseCounter(meter);
    }

    public void Prepare(TimeSpan length)
    {
        _byDue?.Reserve(length, TimelineSampler.IntervalOf(plan.Duration));
        _timeline ??= new TimelineSampler(Recorder, meter, counters => counters.ClientReceived, HasLatency, _byDue is not null);
    }

    public void BeginMeasurement()
    {
        _startedAt = _startedAt == default ? DateTimeOffset.UtcNow : _startedAt;
        _counted = Recorder.Count(RunPhase.Measure).ClientReceived;
        _measured.Begin();
        _partBegan = Recorder.Enter(RunPhase.Measure);
    }

    public void BeginTimeline() => _timeline!.Begin(TimelineSampler.IntervalOf(plan.Duration));

    /// <summary>Sets the begin of a measurement whose load starts with it, and is noticed a moment later.</summary>
    public void BeginPart(long started) => _partBegan = started + RunRecorder.ToTicks(RunRecorder.Notice);

    /// <summary>Ends a part of the measurement, at the same moment as the next phase begins: the parts add up to the whole.</summary>
    public void EndPart(RunPhase next)
    {
        long end = Recorder.Enter(next);
        long received = Recorder.Count(RunPhase.Measure).ClientReceived;
        _iterations.Add(new IterationResult(Stopwatch.GetElapsedTime(_partBegan, end).TotalSeconds, received - _counted));
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
        IterationResult last = _iterations[^1];
        _ran += settled + TimeSpan.FromSeconds(last.Seconds) + drained;
        return new SliceReport(last.Seconds, last.Messages, settled.TotalSeconds, drained.TotalSeconds, compiled.TotalSeconds);
    }

    public ClientReport Report(IPEndPoint server, IClientLoad handler, bool aborted)
    {
        _idle.End();
        if (PathPackets.RemarkOn(plan, library.Info, server) is { } remark)
        {
            Recorder.Remark(remark);
        }

        MessageCounters measured = Count(RunPhase.Measure);
        return new ClientReport
        {
            LibraryVersion = library.Info.Version,
            Clients = plan.Clients,
            ConnectSeconds = _connecting.TotalSeconds,
            Threads = library.Info.Over(plan.Protocol).ClientThreadsByPlan ? plan.UsedClientThreads : null,
            Pinning = CoreAffinity.ReadBack(plan.Pinning.ClientCores),
            Remarks = Recorder.Remarks(),
            StartedAt = _startedAt,
            WarmUpSeconds = _warmUp.TotalSeconds,
            WarmUpSteady = _warmUpWasSteady,
            DurationSeconds = _iterations.Sum(iteration => iteration.Seconds),
            Measured = measured,
            AfterStart = Count(RunPhase.Measure, RunPhase.Hold, RunPhase.Drain),
            Whole = Count(Enum.GetValues<RunPhase>()),
            Errors = Recorder.Errors(),
            Reconnections = plan.Liveness.Reconnect is null ? null : ReconnectionsOf(Recorder),
            Handshakes = Recorder.Handshakes(),
            Iterations = _iterations,
            Aborted = aborted,
            Cost = (_measured.CostOf(measured.ClientReceived) ?? meter.Between(meter.Read(), meter.Read(), messages: 0)) with
            {
                StoppedSeconds = _timeline?.Stopped.TotalSeconds,
            },
            Idle = _idle.CostOf(messages: 0),
            LatencyKind = workload.LatencyKind,
            Latency = HasLatency ? LatencyReport.Of(Recorder.Latency()) : new LatencyReport(null, null),
            Uncorrected = plan.Rate is null || _isOneWay ? null : LatencyReport.Of(Recorder.Uncorrected()),
            Parts = [.. handler.Parts.Select(part => new NamedLatency(part.Name, LatencyReport.Of(part.Histogram)))],
            Distributions =
            [
                .. handler.Distributions.Select(distribution => new NamedLatency(distribution.Name, LatencyReport.Of(distribution.Histogram))),
            ],
            ReceivedByClient = handler.ReceivedByClient,
            Figures = handler.Figures,
            Machine = _measured.Machine,
            GarbageCollector = MachineInspector.GarbageCollector,
            Jit = MachineInspector.Jit,
            Timeline = _timeline?.Report(),
        };
    }

    public void EndTimeline() => _timeline?.End();

    public void Dispose()
    {
        _timeline?.Dispose();
        Recorder.Dispose();
    }

    private static ReconnectionReport ReconnectionsOf(RunRecorder recorder)
    {
        (long lost, long attempts, long returned, LatencyHistogram gaps) = recorder.Reconnections.Read();
        return new ReconnectionReport(lost, attempts, returned, LatencyReport.Of(gaps), recorder.Disconnects());
    }

    private MessageCounters Count(params ReadOnlySpan<RunPhase> phases) => _byDue?.Count(phases) ?? Recorder.Count(phases);
}

/// <summary>
/// Counts the messages of an open loop by the part of the measurement in which they were due. Their numbers are known when the measurement has drained.
/// </summary>
internal sealed class DueCounting(RunRecorder recorder)
{
    // The begins of the parts since the last drain.
    private readonly List<long> _begins = [];

    public bool HasUnsent => recorder.Sum(worker => worker.HasUnsent ? 1 : 0) > 0;

    public void Reserve(TimeSpan length, TimeSpan interval)
    {
        // The last part is not whole, and the measurement may be longer by a little.
        const int MoreParts = 2;
        recorder.Reserve(interval, (int)(length / interval) + MoreParts);
    }

    public void Begin(long since) => _begins.Add(since);

    /// <summary>Sets the numbers of messages of the last iterations, of which each is a part. Called when the measurement has drained.</summary>
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

    /// <summary>
    /// Counts the messages of some phases. A message that was due and could not be sent before the end of the drain counts as sent late and lost.
    /// </summary>
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

/// <summary>
/// Decides when a warm-up may end. It may end when the mean rates of the last half second and of the half second before differ by less than 5 % of both. The
/// rate is taken in bins of 100 ms, so the earliest answer comes after one second. The last bin of a warm-up may be shorter. A bin that is shorter than half a
/// bin does not count: its few messages can give any rate.
/// </summary>
internal sealed class SteadyRate
{
    public static readonly TimeSpan Bin = TimeSpan.FromMilliseconds(100);

    private const int BinsOfAHalf = 5;
    private const double MostDifference = 0.05;
    private static readonly TimeSpan s_leastBin = Bin / 2;
    private readonly double[] _rates = new double[2 * BinsOfAHalf];
    private int _count;

    public void Add(double rate) => _rates[_count++ % _rates.Length] = rate;

    public void Add(double rate, TimeSpan length)
    {
        if (length >= s_leastBin)
        {
            Add(rate);
        }
    }

    public bool IsSteady
    {
        get
        {
            if (_count < _rates.Length)
            {
                return false;
            }

            double earlier = Mean(_count);
            double later = Mean(_count + BinsOfAHalf);
            return earlier > 0 && Math.Abs(later - earlier) < MostDifference * (earlier + later) / 2;
        }
    }

    private double Mean(int firstBin) =>
        Enumerable.Range(firstBin, BinsOfAHalf).Average(bin => _rates[bin % _rates.Length]);
}

internal sealed class RateWatch(RunRecorder recorder, RunPhase phase)
{
    private long _seenAt = Stopwatch.GetTimestamp();
    private long _seen = recorder.Count(phase).ClientReceived;

    public double Rate { get; private set; }
    public TimeSpan Bin { get; private set; }

    public double Read()
    {
        long now = Stopwatch.GetTimestamp();
        long received = recorder.Count(phase).ClientReceived;
        Bin = Stopwatch.GetElapsedTime(_seenAt, now);
        Rate = (received - _seen) / Bin.TotalSeconds;
        (_seenAt, _seen) = (now, received);
        return Rate;
    }
}
