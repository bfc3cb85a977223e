using System.Diagnostics;

using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// Collects what the threads of one run count. It makes the statistics of each thread, moves them all from phase to phase, and
/// adds them up. What is rare (an error, a fault, a new thread) goes through a lock; a message never does.
/// </summary>
public sealed class RunRecorder : IDisposable
{
    /// <summary>The error that a server counts for a connection which ends before the run does.</summary>
    public const string PeerLost = "server lost a peer";

    private readonly Lock _lock = new();
    private readonly List<WorkerStatistics> _workers = [];
    private readonly Dictionary<string, long> _errors = new(StringComparer.Ordinal);
    private readonly Dictionary<string, long> _foreign = new(StringComparer.Ordinal);
    private readonly List<string> _remarks = [];
    private readonly Dictionary<NegotiatedTls, long> _negotiated = [];
    private readonly ThreadLocal<WorkerStatistics> _ofThread;
    private readonly TaskCompletionSource<Exception> _fault = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly bool _openLoop;
    private RunPhase _phase = RunPhase.Connect;

    /// <summary>Creates a recorder in phase <see cref="RunPhase.Connect"/>.</summary>
    /// <param name="openLoop">Whether the load is an open loop, whose latencies are recorded in two ways.</param>
    /// <param name="clock">
    /// The clock of the run; null for the system's. Its ticks must be those of <see cref="Stopwatch"/>, and it has to advance by itself, because
    /// the threads wait by it.
    /// </param>
    /// <exception cref="ArgumentException">The clock has other ticks.</exception>
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

    /// <summary>The clock from which all time stamps of the run come that become latencies.</summary>
    public TimeProvider Clock { get; }

    /// <summary>The phase that the run is in.</summary>
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

    /// <summary>Ends with the exception that a thread of the run could not handle; never ends otherwise.</summary>
    public Task<Exception> Fault => _fault.Task;

    /// <summary>Converts clock ticks to nanoseconds.</summary>
    /// <param name="ticks">A difference of two readings of <see cref="Clock"/>.</param>
    /// <returns>Nanoseconds, rounded down.</returns>
    public static long ToNanoseconds(long ticks) => Stopwatch.Frequency == 1_000_000_000
        ? ticks
        : (long)(ticks * (1e9 / Stopwatch.Frequency));

    /// <summary>Makes the statistics of one more thread.</summary>
    /// <param name="recordsLatency">Whether the thread serves clients, so that it needs a histogram.</param>
    /// <returns>The statistics, which only that thread may write.</returns>
    public WorkerStatistics AddWorker(bool recordsLatency)
    {
        lock (_lock)
        {
            var worker = new WorkerStatistics(recordsLatency, _openLoop, _phase, Clock);
            _workers.Add(worker);
            return worker;
        }
    }

    /// <summary>
    /// The statistics of the calling thread, made at its first call: for libraries that call back from threads of their own, such
    /// as the thread pool's.
    /// </summary>
    /// <returns>The statistics, which only the calling thread may write.</returns>
    public WorkerStatistics ForCurrentThread() => _ofThread.Value!;

    /// <summary>Moves every thread to a phase.</summary>
    /// <param name="phase">The phase.</param>
    public void Enter(RunPhase phase)
    {
        lock (_lock)
        {
            _phase = phase;
            foreach (WorkerStatistics worker in _workers)
            {
                worker.Enter(phase);
            }
        }
    }

    /// <summary>Counts an error by its name. Errors while the run is taken down are expected and not counted.</summary>
    /// <param name="name">A socket error's name, or a few words such as "peer dropped".</param>
    public void CountError(string name)
    {
        lock (_lock)
        {
            if (_phase != RunPhase.Stop)
            {
                _errors[name] = _errors.GetValueOrDefault(name) + 1;
            }
        }
    }

    /// <summary>
    /// Counts traffic of strangers, which is no error of the run: <see cref="ForeignTraffic"/> has the names. From any thread. Not counted
    /// while the run is taken down.
    /// </summary>
    /// <param name="name">What came, in the plural, such as "datagrams".</param>
    /// <param name="count">How many.</param>
    public void CountForeign(string name, long count = 1)
    {
        lock (_lock)
        {
            if (_phase != RunPhase.Stop && count > 0)
            {
                _foreign[name] = _foreign.GetValueOrDefault(name) + count;
            }
        }
    }

    /// <summary>The traffic of strangers counted so far.</summary>
    /// <returns>Counts by name, sorted by name; empty where there was none.</returns>
    public SortedDictionary<string, long> Foreign()
    {
        lock (_lock)
        {
            return new SortedDictionary<string, long>(_foreign, StringComparer.Ordinal);
        }
    }

    /// <summary>
    /// Tells what an adapter does otherwise than it was asked to, such as "The kernel has no UDP GSO, so batch=gso fell back to mmsg." It
    /// is shown with the result. From any thread; rare.
    /// </summary>
    /// <param name="sentence">One whole sentence; the same one again is not kept twice.</param>
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

    /// <summary>What was told so far by <see cref="Remark"/>.</summary>
    /// <returns>The sentences in the order in which they were told first.</returns>
    public IReadOnlyList<string> Remarks()
    {
        lock (_lock)
        {
            return [.. _remarks];
        }
    }

    /// <summary>Counts a TLS handshake that succeeded. From any thread; rare.</summary>
    /// <param name="negotiated">What was read from the connection.</param>
    public void CountHandshake(NegotiatedTls negotiated)
    {
        ArgumentNullException.ThrowIfNull(negotiated);
        lock (_lock)
        {
            _negotiated[negotiated] = _negotiated.GetValueOrDefault(negotiated) + 1;
        }
    }

    /// <summary>The TLS handshakes that succeeded so far.</summary>
    /// <returns>Their number by what was agreed on; empty where there was no TLS.</returns>
    public IReadOnlyDictionary<NegotiatedTls, long> Handshakes()
    {
        lock (_lock)
        {
            return new Dictionary<NegotiatedTls, long>(_negotiated);
        }
    }

    /// <summary>Reports what a thread of the run could not handle; the run ends as failed.</summary>
    /// <param name="exception">The first one reported is kept.</param>
    public void ReportFault(Exception exception) => _fault.TrySetResult(exception);

    /// <summary>The errors counted so far.</summary>
    /// <returns>Counts by name, sorted by name.</returns>
    public SortedDictionary<string, long> Errors()
    {
        lock (_lock)
        {
            return new SortedDictionary<string, long>(_errors, StringComparer.Ordinal);
        }
    }

    /// <summary>
    /// Adds up the counters of all threads. While the threads run, the sum is that of values which were each true at some moment of
    /// the call.
    /// </summary>
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

    /// <summary>Messages that clients sent and that were neither answered nor given up, over all phases.</summary>
    /// <returns>The number in flight.</returns>
    public long InFlight()
    {
        MessageCounters total = Count(Enum.GetValues<RunPhase>());
        return total.ClientSent - total.ClientReceived - total.Lost;
    }

    /// <summary>Merges the latencies of one phase. The threads must have moved on from it.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>A histogram of its own.</returns>
    public LatencyHistogram Latency(RunPhase phase) => Merge(phase, statistics => statistics.Latency);

    /// <summary>Merges the latencies of one phase as a waiting client would have seen them. The threads must have moved on from it.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>A histogram of its own, empty in a closed loop.</returns>
    public LatencyHistogram Uncorrected(RunPhase phase) => Merge(phase, statistics => statistics.Uncorrected);

    /// <inheritdoc/>
    public void Dispose() => _ofThread.Dispose();

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
