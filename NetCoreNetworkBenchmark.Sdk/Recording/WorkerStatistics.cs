namespace NetCoreNetworkBenchmark.Recording;

/// <summary>
/// The data of one thread of a run: its counters and latencies by phase, and its reading of the clock. Only that thread writes. The runner moves each
/// thread to the next phase by the write of one reference, so the path of a message has no lock, no interlocked instruction and no allocation.
/// </summary>
public sealed class WorkerStatistics
{
    private readonly PhaseStatistics[] _phases;
    private readonly TimeProvider _time;
    private readonly bool _recordsLatency;
    private readonly bool _openLoop;
    private PhaseStatistics[] _laterSteps = [];

    // The measurements that became a part of the warm-up. The thread may still be in a batch of messages that it counts there.
    private PhaseStatistics[] _discarded = [];
    private PhaseInterval _interval;
    private DueTimeline? _timeline;
    private long _resumedAt;
    private DueRequests? _requests;
    private OwnCacheLine _clock;
    private OwnCacheLine _nextDue;
    private OwnCacheLine _waiting;
    private OwnCacheLine _unsolicited;

    internal WorkerStatistics(bool recordsLatency, bool openLoop, TimeProvider time)
    {
        _time = time;
        _recordsLatency = recordsLatency;
        _openLoop = openLoop;

        // Nobody reads the latencies of the other phases. They are recorded so that a message takes the same steps in all of them.
        LatencyHistogram? unread = recordsLatency ? new LatencyHistogram() : null;
        _phases =
        [
            .. Enum.GetValues<RunPhase>().Select(phase => phase switch
            {
                RunPhase.Measure => CreateMeasurement(),
                RunPhase.WarmUp or RunPhase.CoolDown or RunPhase.Drain => new PhaseStatistics(phase, unread, openLoop ? unread : null),
                _ => new PhaseStatistics(phase, latency: null, uncorrected: null),
            }),
        ];
        _interval = new PhaseInterval(Of(RunPhase.Connect), long.MinValue, previous: null, part: 0, timeline: null);
        _nextDue.Value = long.MaxValue;
    }

    /// <summary>The state that the workload keeps for this thread alone, such as the buffer in which it creates its messages.</summary>
    public object? WorkloadState { get; set; }

    /// <summary>
    /// The last reading of the run's clock (<see cref="RunRecorder.Clock"/>) on this thread, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.
    /// When a client's message is handed over, the reading was made after the receive call that brought the message.
    /// </summary>
    public long Now => _clock.Value;

    /// <summary>The statistics of the current phase of the run.</summary>
    public PhaseStatistics Current => CurrentInterval.Statistics;

    /// <summary>The current interval of the run, to which what arrives now belongs in a closed loop.</summary>
    public PhaseInterval CurrentInterval => Volatile.Read(ref _interval);

    /// <summary>
    /// The time at which the next message of this thread's schedule is due (<see cref="RunRecorder.Clock"/>); <see cref="long.MaxValue"/> without a schedule.
    /// The thread that keeps the schedule sets the property, so that the drain waits for messages that are due and not yet sent.
    /// </summary>
    public long NextDue
    {
        get => Volatile.Read(ref _nextDue.Value);
        set => Volatile.Write(ref _nextDue.Value, value);
    }

    /// <summary>The number of messages or connections that are due and wait for an earlier one of the same client. Only this thread sets it.</summary>
    public long Waiting
    {
        get => Volatile.Read(ref _waiting.Value);
        set => Volatile.Write(ref _waiting.Value, value);
    }

    /// <summary>
    /// Reads the clock. A client's adapter calls this method after each receive call that returned data, before it hands over the data: a reading
    /// from before the call would make the round trip shorter than it was. A server's adapter does not need it, because round trips are not timed
    /// there.
    /// </summary>
    public void ReadClock() => _clock.Value = _time.GetTimestamp();

    /// <summary>
    /// Requests a call of the client's handler (<c>OnDue</c>) for a peer at a time, or up to a tenth of a millisecond later. Only for a plan with a
    /// <see cref="RunPlan.Think"/> time, and not before that time has passed, unless the load starts.
    /// </summary>
    /// <param name="peer">The peer of the call in which this is requested. With clients on a poll loop of the kit it is the client.</param>
    /// <param name="due">The time (<see cref="RunRecorder.Clock"/>).</param>
    public void RequestDue(object peer, long due) => (_requests ?? StartRequests()).Add(peer, due);

    /// <summary>
    /// Counts a datagram that no client of the run sent (<see cref="UnsolicitedTraffic.Datagrams"/>). Only this thread calls it: others may send as many as the
    /// clients, so it takes no lock. Not counted while the run stops.
    /// </summary>
    public void CountUnsolicitedDatagram() => _unsolicited.Value += Current.Phase == RunPhase.Stop ? 0 : 1;

    /// <summary>
    /// Gets the interval of the run to which a message of an open loop belongs. All threads return the interval of the same phase.
    /// </summary>
    /// <param name="due">The time at which the message was due (<see cref="RunRecorder.Clock"/>).</param>
    /// <returns>The interval; the first one since the load started for an earlier time.</returns>
    public PhaseInterval IntervalOf(long due)
    {
        PhaseInterval interval = CurrentInterval;
        while (due < interval.Since && interval.Previous is { } previous)
        {
            interval = previous;
        }

        return interval;
    }

    /// <summary>Determines whether the processes ran without a pause since a message was sent, so that its round trip can be timed.</summary>
    /// <param name="sentAt">The time at which the message was sent, as read from <see cref="Now"/>.</param>
    /// <returns>False if the message was in flight while the processes were suspended; otherwise, true.</returns>
    public bool RanSince(long sentAt) => sentAt >= Volatile.Read(ref _resumedAt);

    /// <summary>
    /// Determines whether an answer has been awaited for longer than a deadline. The deadline of a message that was in flight while the processes were
    /// suspended begins anew when they go on: neither side could answer meanwhile.
    /// </summary>
    /// <param name="sentAt">The time at which the message was sent, as read from <see cref="Now"/>.</param>
    /// <param name="deadline">The deadline, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    /// <returns>True if the message counts as lost; otherwise, false. No message does from the end of a slice until the processes go on.</returns>
    public bool IsOverdue(long sentAt, long deadline) => Now - Math.Max(sentAt, Volatile.Read(ref _resumedAt)) > deadline;

    /// <summary>Gets the statistics of one phase. Read them after the thread has left the phase.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>The counts of this thread in that phase.</returns>
    public PhaseStatistics Of(RunPhase phase) => _phases[(int)phase];

    /// <summary>What was requested on this thread; null if nothing was. One thread may take the requests.</summary>
    internal DueRequests? Requests => Volatile.Read(ref _requests);

    /// <summary>The statistics of the measurement: one, or those of each part.</summary>
    internal IEnumerable<PhaseStatistics> Measured => [Of(RunPhase.Measure), .. _laterSteps];

    /// <summary>The number of schedules that this thread has begun to follow.</summary>
    internal int Schedules { get; set; }

    /// <summary>The number of unsolicited datagrams so far. From any thread.</summary>
    internal long UnsolicitedDatagrams => Volatile.Read(ref _unsolicited.Value);

    /// <summary>Whether a message that was due in a phase that sends has not been sent yet. From any thread.</summary>
    internal bool HasUnsent => Waiting > 0 || (NextDue is var due && due < long.MaxValue && IntervalOf(due).Statistics.Sends);

    /// <summary>Its intervals do not follow those of a former load, whose messages that still come back count in the first interval of this one.</summary>
    internal static bool StartsLoad(RunPhase before, RunPhase phase) => phase == RunPhase.WarmUp || before is RunPhase.Connect or RunPhase.Paused;

    internal void BeginInterval(RunPhase phase, long since)
    {
        PhaseInterval before = _interval;
        if (phase == RunPhase.Measure && before.Statistics.Phase != RunPhase.Measure)
        {
            _timeline?.StartAt(since);
        }

        PhaseInterval? previous = StartsLoad(before.Statistics.Phase, phase) ? null : before;
        bool isMeasured = phase == RunPhase.Measure;
        bool isNextPart = isMeasured && previous?.Statistics.Phase == RunPhase.Measure;
        int part = (previous?.Part ?? 0) + (isNextPart ? 1 : 0);

        // The first step of the rate has the statistics of the phase.
        PhaseStatistics statistics = isMeasured && part > 0 && part <= _laterSteps.Length ? _laterSteps[part - 1] : Of(phase);
        Volatile.Write(ref _interval, new PhaseInterval(statistics, since, previous, part, isMeasured ? _timeline : null));
    }

    /// <summary>Gets the interval in which the part of the measurement after another one begins; null if the run has not entered it.</summary>
    internal PhaseInterval? PartAfter(int part)
    {
        PhaseInterval interval = CurrentInterval;
        while (interval.Previous is { } previous && previous.Part > part)
        {
            interval = previous;
        }

        return interval.Part > part ? interval : null;
    }

    internal void AddTo(ref MessageCounters total, RunPhase phase)
    {
        total.Add(in Of(phase).Counters);
        foreach (PhaseStatistics other in phase switch { RunPhase.Measure => _laterSteps, RunPhase.WarmUp => _discarded, _ => [] })
        {
            total.Add(in other.Counters);
        }
    }

    /// <summary>Sets the time from which messages are timed: that of the last resumption, or <see cref="long.MaxValue"/> while the run is suspended.</summary>
    internal void TimeMessagesSince(long resumedAt) => Volatile.Write(ref _resumedAt, resumedAt);

    // Each later step of the rate has its own statistics.
    internal void Reserve(long ticksPerBin, int bins, int steps)
    {
        _timeline = new DueTimeline(ticksPerBin, bins);
        _laterSteps =
        [
            .. Enumerable.Range(1, steps - 1).Select(_ => new PhaseStatistics(
                RunPhase.Measure, _recordsLatency ? new LatencyHistogram() : null, Of(RunPhase.Measure).Uncorrected)),
        ];
    }

    internal void Restart()
    {
        _discarded = [.. _discarded, Of(RunPhase.Measure)];
        _phases[(int)RunPhase.Measure] = CreateMeasurement();
    }

    /// <summary>Returns the number of messages that were due in the interval that began at the given time, and were answered.</summary>
    internal long ReceivedSince(long since) => IntervalOf(since) is var interval && interval.Since == since ? interval.Received : 0;

    /// <summary>The part is from 0, and has all later ones too if it is the last. The sums have the layout of <see cref="LatencyHistogram"/>.</summary>
    internal long AddTimelineTo(int part, bool isLast, long[] sums)
    {
        long total = 0;
        int end = isLast ? int.MaxValue : part + 1;
        for (int added = part; added < end && added < _timeline?.Parts; added++)
        {
            total += _timeline.AddTo(added, sums);
        }

        return total;
    }

    private DueRequests StartRequests()
    {
        var requests = new DueRequests();
        Volatile.Write(ref _requests, requests);
        return requests;
    }

    private PhaseStatistics CreateMeasurement() => new(
        RunPhase.Measure, _recordsLatency ? new LatencyHistogram() : null, _recordsLatency && _openLoop ? new LatencyHistogram() : null);
}
