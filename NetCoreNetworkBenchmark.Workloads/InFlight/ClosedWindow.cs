namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// The load stays constant until the given number was sent: when a slot's message returns, or is in flight for longer than the deadline, the slot sends its
// next one, after the think time if it was answered. A lost message is not retransmitted.
internal sealed class ClosedWindow(in WindowSetup setup, int slots, long count = long.MaxValue) : InFlightWindow(in setup, slots)
{
    // A message is therefore given up late by at most a twentieth of its deadline, and by at most half a second.
    private const int ChecksPerDeadline = 20;
    private static readonly long s_longestRest = Stopwatch.Frequency / 2;

    // The next message follows an answer at once, as in most loads, unless messages are counted, slots think, or both.
    private readonly bool _sendsAtOnce = count == long.MaxValue && setup.Think == 0;
    private readonly bool _isCounted = count < long.MaxValue;
    private readonly ThinkingSlots? _thinking = setup.Think > 0 ? new ThinkingSlots(in setup, slots) : null;
    private long _unsent;

    // Whether a slot has no message in flight because the library did not accept it.
    private bool _hasFree;
    private long _nextLook;

    public override void Start(WorkerStatistics worker)
    {
        Begin(worker);

        // A load that ends by itself begins again in each slice.
        _unsent = count;
        PhaseStatistics statistics = worker.Current;
        for ((int seen, int slot) = (0, Oldest); seen < Slots; seen++, slot = Next(slot))
        {
            if (_thinking is null)
            {
                SendIfFree(slot, worker, statistics);
            }
            else if (CanSend(slot, statistics))
            {
                _thinking.AddFirst(slot, worker);
            }
        }
    }

    public void OnDue(WorkerStatistics worker) => SendIfFree(_thinking!.Take(), worker, worker.Current);

    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        int slot = Accept(message, worker);
        if (slot < 0)
        {
            return;
        }

        PhaseStatistics statistics = Record(slot, worker);
        if (!_sendsAtOnce)
        {
            CountOrThink(slot, worker, statistics);
        }
        else if (statistics.Sends)
        {
            SendNext(slot, worker, statistics);
        }
    }

    public override void OnTick(WorkerStatistics worker)
    {
        if (StartedAt == 0 || (!_hasFree && worker.Now < _nextLook))
        {
            return;
        }

        // A hundred clients with a thousand slots are too many to check twenty times a second, and no message is overdue so soon.
        _nextLook = worker.Now + Math.Min(LossDeadline / ChecksPerDeadline, s_longestRest);
        _hasFree = false;
        PhaseStatistics statistics = worker.Current;

        // From the oldest message on, whose slot then sends the newest: the ring of slots keeps the order of the messages.
        for ((int seen, int slot) = (0, Oldest); seen < Slots; seen++, slot = Next(slot))
        {
            if (IsInFlight(slot) && IsOverdue(slot, worker))
            {
                GiveUp(slot, worker);
                Oldest = Next(slot);
                EndIfDone(worker);
            }

            SendIfFree(slot, worker, statistics);
        }
    }

    private void CountOrThink(int slot, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (_unsent == 0)
        {
            EndIfDone(worker);
        }
        else if (_thinking is not null && statistics.Sends)
        {
            _thinking.Add(slot, worker);
        }
        else
        {
            SendIfFree(slot, worker, statistics);
        }
    }

    private bool CanSend(int slot, PhaseStatistics statistics) =>
        _unsent > 0 && statistics.Sends && !IsInFlight(slot) && _thinking?.Contains(slot) != true;

    private void SendIfFree(int slot, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (CanSend(slot, statistics))
        {
            SendNext(slot, worker, statistics);
        }
    }

    private void SendNext(int slot, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (_isCounted)
        {
            _unsent--;
        }

        if (!Send(slot, worker.Now, Layout.MessageOf(worker), worker, statistics))
        {
            _unsent += _isCounted ? 1 : 0;
            _hasFree = true;
        }
    }

    private void EndIfDone(WorkerStatistics worker)
    {
        if (_unsent == 0 && InFlight == 0)
        {
            End(worker);
        }
    }
}
