namespace NetCoreNetworkBenchmark.Recording;

/// <content>The view of the runner: it moves all threads from phase to phase, and adds up what they and the reports of rare events counted.</content>
public sealed partial class RunRecorder
{
    /// <summary>The time between the call of <see cref="Enter"/> and the moment from which messages belong to the phase.</summary>
    internal static readonly TimeSpan Notice = TimeSpan.FromMilliseconds(1);

    private static readonly long s_notice = ToTicks(Notice);
    private readonly List<(RunPhase Phase, long Since)> _entered = [];
    private (long TicksPerBin, int Bins, int Steps)? _reserved;
    private RunPhase _phase = RunPhase.Connect;
    private long _resumedAt;
    private volatile WorkerStatistics[] _joined = [];

    /// <summary>The statistics of all threads so far. Read without a lock.</summary>
    internal IReadOnlyList<WorkerStatistics> Workers => _joined;

    /// <summary>Completes with the exception that a thread of the run could not handle; if there is none, it never completes.</summary>
    internal Task<Exception> Fault => _fault.Task;

    /// <summary>The phase may be the same as before, of which another interval then begins.</summary>
    /// <returns>By <see cref="Clock"/>, when messages of an open loop begin to belong to the phase: later, when all threads have noticed it.</returns>
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
            _workers.ForEach(worker => worker.BeginInterval(phase, since));
            return since;
        }
    }

    /// <summary>For the latencies of an open loop by the time in which messages were due, and for each step of the rate. Not within a measurement.</summary>
    internal void Reserve(TimeSpan bin, int bins, int steps = 1)
    {
        lock (_lock)
        {
            long ticksPerBin = ToTicks(bin);
            _reserved = (ticksPerBin, bins, steps);
            _workers.ForEach(worker => worker.Reserve(ticksPerBin, bins, steps));
        }
    }

    /// <summary>Of a step of the rate, from 0, for which memory was reserved.</summary>
    internal MessageCounters CountOfStep(int step)
    {
        var total = default(MessageCounters);
        lock (_lock)
        {
            _workers.ForEach(worker => total.Add(in worker.Measured.ElementAt(step).Counters));
        }

        return total;
    }

    /// <summary>Of a part, from 0, for which memory was reserved. The threads must have left it.</summary>
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
    internal void Suspend() => TimeMessagesSince(long.MaxValue);

    /// <summary>Notifies that the processes were suspended until now. Messages that were in flight meanwhile are counted, and not timed.</summary>
    internal void Resume() => TimeMessagesSince(Clock.GetTimestamp());

    internal SortedDictionary<string, long> Errors() => Sorted(_errors);

    /// <summary>
    /// The adapter counts the reason of an end if there is one, and the handler counts every end, as <see cref="PeerLost"/> or <see cref="ServerLost"/>: those
    /// are left for the ends without a reason, so that each counts once.
    /// </summary>
    internal SortedDictionary<string, long> Disconnects()
    {
        SortedDictionary<string, long> counts = Sorted(_disconnects);
        foreach (string name in (ReadOnlySpan<string>)[PeerLost, ServerLost])
        {
            if (counts.Remove(name, out long ends) && ends - counts.Values.Sum() is > 0 and var withoutReason)
            {
                counts[name] = withoutReason;
            }
        }

        return counts;
    }

    internal SortedDictionary<string, long> Unsolicited()
    {
        SortedDictionary<string, long> counts = Sorted(_unsolicited);
        if (Sum(worker => worker.UnsolicitedDatagrams) is > 0 and var datagrams)
        {
            counts[UnsolicitedTraffic.Datagrams] = counts.GetValueOrDefault(UnsolicitedTraffic.Datagrams) + datagrams;
        }

        return counts;
    }

    /// <returns>In the order in which they were first reported; those that change are last.</returns>
    internal IReadOnlyList<string> Remarks()
    {
        lock (_lock)
        {
            return [.. _remarks, .. _descriptions.Select(describe => describe())];
        }
    }

    /// <param name="value">It must not wait.</param>
    internal long Sum(Func<WorkerStatistics, long> value)
    {
        lock (_lock)
        {
            return _workers.Sum(value);
        }
    }

    /// <summary>While the threads run, each value in the sum was true at some moment of the call.</summary>
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

    /// <returns>While the threads run, it is not below the number at the start of the call, so 0 is true.</returns>
    internal long InFlight()
    {
        // Answers before messages: a message that is sent and answered between the two counts must not make up for one that is in flight.
        RunPhase[] phases = Enum.GetValues<RunPhase>();
        MessageCounters settled = Count(phases);
        return Count(phases).ClientSent - settled.ClientReceived - settled.Lost;
    }

    /// <param name="counts">Of the layout of <see cref="LatencyHistogram"/>. While the threads run, each was true at some moment of the call.</param>
    internal void AddLatencyCounts(Span<long> counts)
    {
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

    /// <summary>The threads must have left the measurement.</summary>
    internal LatencyHistogram Latency() => Merge(worker => worker.Measured.Select(measured => measured.Latency));

    /// <summary>Empty in a closed loop. The threads must have left the measurement.</summary>
    internal LatencyHistogram Uncorrected() => Merge(worker => [worker.Of(RunPhase.Measure).Uncorrected]);

    private static SortedDictionary<string, long> Sorted(ConcurrentDictionary<string, long> counts) => new(counts, StringComparer.Ordinal);

    // A thread that comes late is in the same state as the others: with the same intervals, and with messages that were in flight during a suspension.
    private void Join(WorkerStatistics worker)
    {
        lock (_lock)
        {
            if (_reserved is var (ticksPerBin, bins, steps))
            {
                worker.Reserve(ticksPerBin, bins, steps);
            }

            _entered.ForEach(entered => worker.BeginInterval(entered.Phase, entered.Since));
            worker.TimeMessagesSince(_resumedAt);
            _workers.Add(worker);
            _joined = [.. _workers];
        }
    }

    private void TimeMessagesSince(long resumedAt)
    {
        lock (_lock)
        {
            _resumedAt = resumedAt;
            _workers.ForEach(worker => worker.TimeMessagesSince(resumedAt));
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
