namespace NetCoreNetworkBenchmark.Recording;

/// <summary>
/// Collects the counts of the threads of one run: an adapter gets the statistics of each of its threads here, and adapter and workload report rare events
/// (an error, a fault, a remark). These take a lock; a message never does.
/// </summary>
public sealed partial class RunRecorder : IDisposable
{
    /// <summary>The error that a server counts for a connection that ends before the run does.</summary>
    public const string PeerLost = "server lost a peer";

    /// <summary>The error that a client counts for a connection that ends before the run does.</summary>
    public const string ServerLost = "client lost its server";

    private readonly Lock _lock = new();
    private readonly List<WorkerStatistics> _workers = [];
    private readonly ConcurrentDictionary<string, long> _errors = new();
    private readonly ConcurrentDictionary<string, long> _disconnects = new();
    private readonly ConcurrentDictionary<string, long> _unsolicited = new();
    private readonly List<string> _remarks = [];
    private readonly List<Func<string>> _descriptions = [];
    private readonly Dictionary<NegotiatedTls, long> _negotiated = [];
    private readonly ThreadLocal<WorkerStatistics> _ofThread;
    private readonly TaskCompletionSource<Exception> _fault = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly bool _openLoop;

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
            throw new ArgumentException($"The clock has {Clock.TimestampFrequency} ticks per second; it must have {Stopwatch.Frequency}.", nameof(clock));
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
        var worker = new WorkerStatistics(recordsLatency, _openLoop, Clock);
        Join(worker);
        return worker;
    }

    /// <summary>
    /// Gets the statistics of the calling thread, which are created at its first call. For libraries that call back from threads of their own, such
    /// as those of the thread pool.
    /// </summary>
    /// <returns>The statistics, which only the calling thread may write.</returns>
    public WorkerStatistics ForCurrentThread() => _ofThread.Value!;

    /// <summary>Counts an error by its name. Errors while the run stops are expected and not counted.</summary>
    /// <param name="name">A socket error's name, or a few words such as "peer dropped".</param>
    /// <param name="count">The number to add.</param>
    public void CountError(string name, long count = 1) => Count(_errors, name, count);

    /// <summary>
    /// Counts the end of a connection before the end of the run: as an error, or separately from errors if <see cref="ExpectsDisconnects"/> is set. From any
    /// thread. Not counted while the run stops.
    /// </summary>
    /// <param name="reason">The reason, as the name of an error.</param>
    public void CountDisconnect(string reason) => Count(ExpectsDisconnects ? _disconnects : _errors, reason, 1);

    /// <summary>
    /// Counts unsolicited traffic, which is not an error of the run: <see cref="UnsolicitedTraffic"/> has the names. From any thread. Not counted while
    /// the run stops. A thread that receives datagrams counts them by <see cref="WorkerStatistics.CountUnsolicitedDatagram"/>.
    /// </summary>
    /// <param name="name">The kind of traffic, in the plural, such as "datagrams".</param>
    /// <param name="count">The number to add.</param>
    public void CountUnsolicited(string name, long count = 1) => Count(_unsolicited, name, count);

    /// <summary>Counts a TLS handshake that succeeded. From any thread; rare.</summary>
    /// <param name="negotiated">The parameters that were read from the connection, with a <see cref="NegotiatedTls.Count"/> of 1.</param>
    public void CountHandshake(NegotiatedTls negotiated)
    {
        ArgumentNullException.ThrowIfNull(negotiated);
        lock (_lock)
        {
            _negotiated[negotiated] = _negotiated.GetValueOrDefault(negotiated) + 1;
        }
    }

    /// <summary>Gets the TLS handshakes that succeeded so far.</summary>
    /// <returns>The negotiated parameters with the number of their handshakes, the most frequent first; empty if there was no TLS.</returns>
    public IReadOnlyList<NegotiatedTls> Handshakes()
    {
        lock (_lock)
        {
            return
            [
                .. _negotiated.OrderByDescending(pair => pair.Value)
                    .ThenBy(pair => $"{pair.Key}", StringComparer.Ordinal)
                    .Select(pair => pair.Key with { Count = pair.Value }),
            ];
        }
    }

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

    /// <summary>Reports an exception that a thread of the run could not handle; the run ends as failed.</summary>
    /// <param name="exception">The exception. The first one that is reported is kept.</param>
    public void ReportFault(Exception exception) => _fault.TrySetResult(exception);

    /// <summary>Makes a call whose exception is reported as a fault. For calls that are not made for each message.</summary>
    /// <param name="state">The argument of the call, so that the call captures nothing.</param>
    /// <param name="call">The call.</param>
    public void Guard<TState>(TState state, Action<TState> call)
    {
        ArgumentNullException.ThrowIfNull(call);
        try
        {
            call(state);
        }
        catch (Exception exception)
        {
            ReportFault(exception);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _ofThread.Dispose();

    private void Count(ConcurrentDictionary<string, long> counts, string name, long count)
    {
        if (Phase != RunPhase.Stop && count > 0)
        {
            counts.AddOrUpdate(name, static (_, added) => added, static (_, sum, added) => sum + added, count);
        }
    }
}
