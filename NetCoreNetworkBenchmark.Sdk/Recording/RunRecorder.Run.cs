namespace NetCoreNetworkBenchmark.Recording;

/// <content>The view of the runner: it moves all threads from phase to phase, and adds up what they and the reports of rare events counted.</content>
public sealed partial class RunRecorder
{
    /// <summary>The time between the call of <see cref="Enter"/> and the moment from which messages belong to the phase.</summary>
    internal static readonly TimeSpan Notice = TimeSpan.FromMilliseconds(1);

    private static readonly long s_notice = ToTicks(Notice);
    private readonly List<(RunPhase Phase, long Since)> _entered = [];
    private TimelineMemory? _memory;
    private RunPhase _phase = RunPhase.Connect;
    private long _resumedAt;
    private volatile WorkerStatistics[] _joined = [];

    /// <summary>The statistics of all threads so far. Read without a lock.</summary>
    internal IReadOnlyList<WorkerStatistics> Workers => _joined;

    /// <summary>Completes with the exception that a thread of the run could not handle; if there is none, it never completes.</summary>
    internal Task<Exception> Fault => _fault.Task;

    /// <summary>Moves every thread to a phase, or to another interval of the same phase.</summary>
    /// <param name="phase">The phase.</param>
    /// <returns>
    /// The time from which messages of an open loop belong to the phase, as a reading of <see cref="Clock"/>. It is <see cref="Notice"/> in the future, so
    /// that all threads have noticed the phase when a message is due in it.
    /// </returns>
    internal long Enter(RunPhase phase)
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
            _workers.ForEach(worker => worker.Enter(phase, since));
            return since;
        }
    }

    /// <summary>
    /// Reserves memory for the course of the next measurement of an open loop: the latencies of the messages by the part of the measurement in which they
    /// were due. Must not be called within a measurement.
    /// </summary>
    /// <param name="part">The length of a part.</param>
    /// <param name="parts">The number of parts.</param>
    /// <param name="rates">The number of parts of the measurement with a rate of their own, each with statistics of its own.</param>
    internal void Reserve(TimeSpan part, int parts, int rates = 1)
    {
        lock (_lock)
        {
            var memory = new TimelineMemory(ToTicks(part), parts, rates);
            _memory = memory;
            _workers.ForEach(worker => worker.Reserve(memory));
        }
    }

    /// <summary>Adds up the counters of all threads in one part of the measurement, for which memory was reserved.</summary>
    /// <param name="part">The number of the part, from 0.</param>
    internal MessageCounters CountOfPart(int part)
    {
        var total = default(MessageCounters);
        lock (_lock)
        {
            _workers.ForEach(worker => total.Add(in worker.Measured.ElementAt(part).Counters));
        }

        return total;
    }

    /// <summary>Merges the latencies of one part of the measurement, for which memory was reserved. The threads must have left it.</summary>
    /// <param name="part">The number of the part, from 0.</param>
    internal LatencyHistogram LatencyOfPart(int part) => Merge(worker => [worker.Measured.ElementAt(part).Latency]);

    /// <summary>Counts what was measured so far as a part of the warm-up, and forgets its latencies. The run must be in neither phase.</summary>
    internal void Restart()
    {
        lock (_lock)
        {
            _workers.ForEach(worker => worker.Restart());
        }
    }

    /// <summary>Notifies that the processes may be suspended from now on: until <see cref="Resume"/>, no message is overdue and none is timed.</summary>
    internal void Suspend() => TimeFrom(long.MaxValue);

    /// <summary>Notifies that the processes were suspended until now. Messages that were in flight meanwhile are counted, and not timed.</summary>
    internal void Resume() => TimeFrom(Clock.GetTimestamp());

    /// <summary>Gets the errors that were counted so far.</summary>
    /// <returns>Counts by name, sorted by name.</returns>
    internal SortedDictionary<string, long> Errors() => _errors.Copy();

    /// <summary>
    /// Gets the ends of connections that were counted so far, separately from errors. The adapter counts the reason of an end if there is one, and the handler
    /// counts every end, as <see cref="PeerLost"/> or <see cref="ServerLost"/>: these are left for the ends without a reason, so that each counts once.
    /// </summary>
    /// <returns>Counts by reason, sorted by reason; empty if there were none.</returns>
    internal SortedDictionary<string, long> Disconnects()
    {
        SortedDictionary<string, long> counts = _disconnects.Copy();
        foreach (string name in (ReadOnlySpan<string>)[PeerLost, ServerLost])
        {
            if (counts.Remove(name, out long ends) && ends - counts.Values.Sum() is > 0 and var withoutReason)
            {
                counts[name] = withoutReason;
            }
        }

        return counts;
    }

    /// <summary>Gets the unsolicited traffic that was counted so far.</summary>
    /// <returns>Counts by name, sorted by name; empty if there was none.</returns>
    internal SortedDictionary<string, long> Unsolicited()
    {
        SortedDictionary<string, long> counts = _unsolicited.Copy();
        if (Sum(worker => worker.UnsolicitedDatagrams) is > 0 and var datagrams)
        {
            counts[UnsolicitedTraffic.Datagrams] = counts.GetValueOrDefault(UnsolicitedTraffic.Datagrams) + datagrams;
        }

        return counts;
    }

    /// <summary>Gets the remarks that were reported so far by <see cref="Remark(string)"/> and <see cref="Remark(Func{string})"/>.</summary>
    /// <returns>The sentences in the order in which they were first reported; those that change are last.</returns>
    internal IReadOnlyList<string> Remarks()
    {
        lock (_lock)
        {
            return [.. _remarks, .. _descriptions.Select(describe => describe())];
        }
    }

    /// <summary>Adds up a value of all threads.</summary>
    /// <param name="value">Returns the value of a thread. It must not wait.</param>
    internal long Sum(Func<WorkerStatistics, long> value)
    {
        lock (_lock)
        {
            return _workers.Sum(value);
        }
    }

    /// <summary>Adds up the counters of all threads. While the threads run, each value in the sum was true at some moment of the call.</summary>
    /// <param name="phases">The phases to add up.</param>
    /// <returns>The sums.</returns>
    internal MessageCounters Count(params ReadOnlySpan<RunPhase> phases)
    {
        var total = default(MessageCounters);
        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                foreach (RunPhase phase in phases)
                {
                    worker.AddTo(ref total, phase);
                }
            }
        }

        return total;
    }

    /// <summary>Gets the number of messages that clients sent and that were neither answered nor given up, over all phases.</summary>
    /// <returns>The number in flight. While the threads run, it is not below the number at the start of the call, so 0 is true.</returns>
    internal long InFlight()
    {
        // Answers before messages: a message that is sent and answered between the two counts must not make up for one that is in flight.
        RunPhase[] phases = Enum.GetValues<RunPhase>();
        MessageCounters settled = Count(phases);
        return Count(phases).ClientSent - settled.ClientReceived - settled.Lost;
    }

    /// <summary>Adds up the latencies of the measurement while the threads run. Each count was true at some moment of the call.</summary>
    /// <param name="counts">The counts to add to, of the layout of <see cref="LatencyHistogram"/>; empty to add none.</param>
    internal void AddLatencyCounts(Span<long> counts)
    {
        if (counts.IsEmpty)
        {
            return;
        }

        lock (_lock)
        {
            foreach (WorkerStatistics worker in _workers)
            {
                foreach (PhaseStatistics part in worker.Measured)
                {
                    part.Latency?.AddCountsTo(counts);
                }
            }
        }
    }

    /// <summary>Merges the latencies of the measurement (<see cref="PhaseStatistics.Latency"/>). The threads must have left it.</summary>
    internal LatencyHistogram Latency() => Merge(worker => worker.Measured.Select(measured => measured.Latency));

    /// <summary>Merges the latencies of the measurement (<see cref="PhaseStatistics.Uncorrected"/>). The threads must have left it.</summary>
    /// <returns>A new histogram, empty in a closed loop.</returns>
    internal LatencyHistogram Uncorrected() => Merge(worker => [worker.Of(RunPhase.Measure).Uncorrected]);

    // A thread that comes late is in the same state as the others: with the same intervals, and with messages that were in flight during a suspension.
    private void Join(WorkerStatistics worker)
    {
        lock (_lock)
        {
            if (_memory is { } memory)
            {
                worker.Reserve(memory);
            }

            _entered.ForEach(entered => worker.Enter(entered.Phase, entered.Since));
            worker.TimeFrom(_resumedAt);
            _workers.Add(worker);
            _joined = [.. _workers];
        }
    }

    private void TimeFrom(long resumedAt)
    {
        lock (_lock)
        {
            _resumedAt = resumedAt;
            _workers.ForEach(worker => worker.TimeFrom(resumedAt));
        }
    }

    private LatencyHistogram Merge(Func<WorkerStatistics, IEnumerable<LatencyHistogram?>> choose)
    {
        lock (_lock)
        {
            return LatencyHistogram.Sum(_workers.SelectMany(choose).OfType<LatencyHistogram>());
        }
    }
}
