namespace NetCoreNetworkBenchmark.Recording;

/// <summary>
/// Collects the counts of the threads of one run. It creates the statistics of each thread, moves all of them from phase to phase, and adds them up.
/// Rare events (an error, a fault, a new thread) take a lock; a message never does.
/// </summary>
public sealed class RunRecorder : IDisposable
{
    /// <summary>The error that a server counts for a connection that ends before the run does.</summary>
    public const string PeerLost = "server lost a peer";

    /// <summary>The error that a client counts for a connection that ends before the run does.</summary>
    public const string ServerLost = "client lost its server";

    /// <summary>The time between the call of <see cref="Enter"/> and the moment from which messages belong to the phase.</summary>
    public static readonly TimeSpan Notice = TimeSpan.FromMilliseconds(1);

    private static readonly long s_notice = ToTicks(Notice);
    private readonly Lock _lock = new();
    private readonly List<WorkerStatistics> _workers = [];
    private readonly NamedCounts _errors = new();
    private readonly NamedCounts _disconnects = new();
    private readonly NamedCounts _unsolicited = new();
    private readonly List<string> _remarks = [];
    private readonly List<Func<string>> _descriptions = [];
    private readonly Dictionary<NegotiatedTls, long> _negotiated = [];
    private readonly ThreadLocal<WorkerStatistics> _ofThread;
    private readonly TaskCompletionSource<Exception> _fault = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly bool _openLoop;
    private readonly List<(RunPhase Phase, long Since)> _entered = [];
    private (long TicksPerPart, int Parts)? _timeline;
    private RunPhase _phase = RunPhase.Connect;

    /// <summary>Creates a recorder in phase <see cref="RunPhase.Connect"/>.</summary>
    /// <param name="openLoop">Whether the load is an open loop. Its latencies are recorded in two ways.</param>
    /// <param name="clock">
    /// The clock of the run; null for the system's clock. Its ticks must be those of <see cref="Stopwatch"/>. The clock must advance by itself,
    /// because the threads wait by it.
    /// </param>
    /// <exception cref="ArgumentException">The clock has a different tick frequency.</exception>
    public RunRecorder(bool openLoop = false, TimeProvider? clock = null)
    {
        Clock = clock ?? TimeProvider.System;
        if (Clock.TimestampFrequency != Stopwatch.Frequency)
        {
            throw new ArgumentException($"The clock has {Clock.TimestampFrequency} ticks a second; it must have {Stopwatch.Frequency}.", nameof(clock));
        }

        _openLoop = openLoop;
        _ofThread = new ThreadLocal<WorkerStatistics>(() => AddWorker(recordsLatency: true));
    }

    /// <summary>The clock that provides all time stamps of the run from which latencies are computed.</summary>
    public TimeProvider Clock { get; }

    /// <summary>
    /// Whether a connection that ends before the run does is no error, because clients open another one.
    /// </summary>
    public bool ExpectsDisconnects { get; init; }

    /// <summary>Whether the server reads the same clock as the clients. If false, one-way latency is not recorded. Set before the clients connect.</summary>
    public bool SharesClockOfServer { get; set; } = true;

    /// <summary>The connections that clients lost and opened again.</summary>
    public ReconnectionStatistics Reconnections { get; } = new();

    /// <summary>The current phase of the run.</summary>
    public RunPhase Phase
    {
        get
        {
            lock (_lock)
            {
                return _phase;
            }
        }
    }

    /// <summary>Completes with the exception that a thread of the run could not handle; if there is none, it never completes.</summary>
    public Task<Exception> Fault => _fault.Task;

    /// <summary>Converts clock ticks to nanoseconds.</summary>
    /// <param name="ticks">The difference of two readings of <see cref="Clock"/>.</param>
    /// <returns>Nanoseconds, rounded down.</returns>
    public static long ToNanoseconds(long ticks) => Stopwatch.Frequency == 1_000_000_000
        ? ticks
        : (long)(ticks * (1e9 / Stopwatch.Frequency));

    /// <summary>Converts a time to clock ticks.</summary>
    /// <param name="time">The time.</param>
    /// <returns>Ticks of <see cref="Clock"/>, rounded toward zero.</returns>
    public static long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);

    /// <summary>Creates the statistics of one more thread.</summary>
    /// <param name="recordsLatency">Whether the thread serves clients, so that it needs a histogram.</param>
    /// <returns>The statistics, which only that thread may write.</returns>
    public WorkerStatistics AddWorker(bool recordsLatency)
    {
        lock (_lock)
        {
            var worker = new WorkerStatistics(recordsLatency, _openLoop, Clock);
            if (_timeline is { } timeline)
            {
                worker.Reserve(timeline.TicksPerPart, timeline.Parts);
            }

            foreach ((RunPhase phase, long since) in _entered)
            {
                worker.Enter(phase, since);
            }

            _workers.Add(worker);
            return worker;
        }
    }

    /// <summary>
    /// Gets the statistics of the calling thread, which are created at its first call. For libraries that call back from threads of their own, such
    /// as those of the thread pool.
    /// </summary>
    /// <returns>The statistics, which only the calling thread may write.</returns>
    public WorkerStatistics ForCurrentThread() => _ofThread.Value!;

    /// <summary>Moves every thread to a phase, or to another interval of the same phase.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>
    /// The time from which messages of an open loop belong to the phase, as a reading of <see cref="Clock"/>. It is <see cref="Notice"/> in the future, so
    /// that all threads have noticed the phase when a message is due in it.
    /// </returns>
    public long Enter(RunPhase phase)
    {
        lock (_lock)
        {
            long since = Clock.GetTimestamp() + s_notice;
            if (WorkerStatistics.StartsLoad(_phase, phase))
            {
                _entered.Clear();
            }

            _phase = phase;

            _entered.Add((phase, since));
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Enter(phase, since);
            }

            return since;
        }
    }

    /// <summary>
    /// Reserves memory for the course of the next measurement of an open loop: the latencies of the messages by the part of the measurement in which they
    /// were due. Must not be called within a measurement.
    /// </summary>
    /// <param name="part">The length of a part.</param>
    /// <param name="parts">The number of parts.</param>
    public void Reserve(TimeSpan part, int parts)
    {
        lock (_lock)
        {
            _timeline = (ToTicks(part), parts);
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Reserve(_timeline.Value.TicksPerPart, parts);
            }
        }
    }

    /// <summary>Adds up a value of all threads.</summary>
    /// <param name="value">Returns the value of a thread. It must not wait.</param>
    public long Sum(Func<WorkerStatistics, long> value)
    {
        lock (_lock)
        {
            return _workers.Sum(value);
        }
    }

    /// <summary>Counts what was measured so far as a part of the warm-up, and forgets its latencies. The threads must be in neither phase.</summary>
    public void Restart()
    {
        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Restart();
            }
        }
    }

    /// <summary>Notifies that the processes may be suspended from now on: until <see cref="Resume"/>, no message is overdue and none is timed.</summary>
    public void Suspend()
    {
        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Suspend();
            }
        }
    }

    /// <summary>Notifies that the processes were suspended until now. Messages that were in flight meanwhile are counted, and not timed.</summary>
    public void Resume()
    {
        long now = Clock.GetTimestamp();
        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Resume(now);
            }
        }
    }

    /// <summary>Counts an error by its name. Errors while the run stops are expected and not counted.</summary>
    /// <param name="name">A socket error's name, or a few words such as "peer dropped".</param>
    public void CountError(string name) => Count(_errors, name, 1);

    /// <summary>
    /// Counts the end of a connection before the end of the run: as an error, or apart from errors if <see cref="ExpectsDisconnects"/> is set. From any
    /// thread. Not counted while the run stops.
    /// </summary>
    /// <param name="reason">The reason, as the name of an error.</param>
    public void CountDisconnect(string reason) => Count(ExpectsDisconnects ? _disconnects : _errors, reason, 1);

    /// <summary>
    /// Gets the ends of connections that were counted so far apart from errors. The adapter counts the reason of an end if there is one, and the handler
    /// counts every end, as <see cref="PeerLost"/> or <see cref="ServerLost"/>: these are left for the ends without a reason, so that each counts once.
    /// </summary>
    /// <returns>Counts by reason, sorted by reason; empty if there were none.</returns>
    public SortedDictionary<string, long> Disconnects() => _disconnects.CopyWithRest(PeerLost, ServerLost);

    /// <summary>
    /// Counts unsolicited traffic, which is not an error of the run: <see cref="UnsolicitedTraffic"/> has the names. From any thread. Not counted while
    /// the run stops.
    /// </summary>
    /// <param name="name">The kind of traffic, in the plural, such as "datagrams".</param>
    /// <param name="count">The number to add.</param>
    public void CountUnsolicited(string name, long count = 1) => Count(_unsolicited, name, count);

    /// <summary>Gets the unsolicited traffic that was counted so far.</summary>
    /// <returns>Counts by name, sorted by name; empty if there was none.</returns>
    public SortedDictionary<string, long> Unsolicited() => _unsolicited.Copy();

    /// <summary>
    /// Reports that an adapter deviates from the request, such as "The kernel has no UDP GSO, so batch=gso fell back to mmsg." The remark is shown
    /// with the result. From any thread; rare.
    /// </summary>
    /// <param name="sentence">One whole sentence; a repetition of the same sentence is not kept.</param>
    public void Remark(string sentence)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(sentence);
        lock (_lock)
        {
            if (!_remarks.Contains(sentence, StringComparer.Ordinal))
            {
                _remarks.Add(sentence);
            }
        }
    }

    /// <summary>Reports a remark that changes during the run, such as the number of connections of each thread. From any thread; rare.</summary>
    /// <param name="describe">Returns one whole sentence. It is called each time the remarks are read, from any thread, and must not wait.</param>
    public void Remark(Func<string> describe)
    {
        ArgumentNullException.ThrowIfNull(describe);
        lock (_lock)
        {
            _descriptions.Add(describe);
        }
    }

    /// <summary>Gets the remarks that were reported so far by <see cref="Remark(string)"/> and <see cref="Remark(Func{string})"/>.</summary>
    /// <returns>The sentences in the order in which they were first reported; those that change are last.</returns>
    public IReadOnlyList<string> Remarks()
    {
        lock (_lock)
        {
            return [.. _remarks, .. _descriptions.Select(describe => describe())];
        }
    }

    /// <summary>Counts a TLS handshake that succeeded. From any thread; rare.</summary>
    /// <param name="negotiated">The parameters that were read from the connection.</param>
    public void CountHandshake(NegotiatedTls negotiated)
    {
        ArgumentNullException.ThrowIfNull(negotiated);
        lock (_lock)
        {
            _negotiated[negotiated] = _negotiated.GetValueOrDefault(negotiated) + 1;
        }
    }

    /// <summary>Gets the TLS handshakes that succeeded so far.</summary>
    /// <returns>Their number by the negotiated parameters; empty if there was no TLS.</returns>
    public IReadOnlyDictionary<NegotiatedTls, long> Handshakes()
    {
        lock (_lock)
        {
            return new Dictionary<NegotiatedTls, long>(_negotiated);
        }
    }

    /// <summary>Reports an exception that a thread of the run could not handle; the run ends as failed.</summary>
    /// <param name="exception">The exception. The first one that is reported is kept.</param>
    public void ReportFault(Exception exception) => _fault.TrySetResult(exception);

    /// <summary>Gets the errors that were counted so far.</summary>
    /// <returns>Counts by name, sorted by name.</returns>
    public SortedDictionary<string, long> Errors() => _errors.Copy();

    /// <summary>Adds up the counters of all threads. While the threads run, each value in the sum was true at some moment of the call.</summary>
    /// <param name="phases">The phases to add up.</param>
    /// <returns>The sums.</returns>
    public MessageCounters Count(params ReadOnlySpan<RunPhase> phases)
    {
        var total = default(MessageCounters);
        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                foreach (RunPhase phase in phases)
                {
                    total.Add(in worker.Of(phase).Counters);
                }
            }
        }

        return total;
    }

    /// <summary>Gets the number of messages that clients sent and that were neither answered nor given up, over all phases.</summary>
    /// <returns>The number in flight.</returns>
    public long InFlight()
    {
        MessageCounters total = Count(Enum.GetValues<RunPhase>());
        return total.ClientSent - total.ClientReceived - total.Lost;
    }

    /// <summary>Merges the latencies of one phase. The threads must have left the phase.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>A new histogram.</returns>
    public LatencyHistogram Latency(RunPhase phase) => Merge(phase, statistics => statistics.Latency);

    /// <summary>
    /// Adds up the latencies of one phase while the threads run. Each count was true at some moment of the call.
    /// </summary>
    /// <param name="phase">The phase.</param>
    /// <param name="counts">The counts to add to, of the layout of <see cref="LatencyHistogram"/>; empty to add none.</param>
    public void AddLatencyCounts(RunPhase phase, Span<long> counts)
    {
        if (counts.IsEmpty)
        {
            return;
        }

        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Of(phase).Latency?.AddCountsTo(counts);
            }
        }
    }

    /// <summary>Merges the latencies of one phase as a waiting client would have seen them. The threads must have left the phase.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>A new histogram, empty in a closed loop.</returns>
    public LatencyHistogram Uncorrected(RunPhase phase) => Merge(phase, statistics => statistics.Uncorrected);

    /// <inheritdoc/>
    public void Dispose() => _ofThread.Dispose();

    private void Count(NamedCounts counts, string name, long count)
    {
        if (Phase != RunPhase.Stop && count > 0)
        {
            counts.Add(name, count);
        }
    }

    private LatencyHistogram Merge(RunPhase phase, Func<PhaseStatistics, LatencyHistogram?> choose)
    {
        var merged = new LatencyHistogram();
        lock (_lock)
        {
            foreach (LatencyHistogram latency in _workers.Select(worker => choose(worker.Of(phase))).OfType<LatencyHistogram>())
            {
                merged.Add(latency);
            }
        }

        return merged;
    }
}
