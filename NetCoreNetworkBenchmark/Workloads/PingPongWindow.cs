using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>
/// The messages that one client has in flight, one in each slot. When a slot's message comes back, or has been away for longer
/// than the deadline, the slot sends its next one, so the load holds.
/// </summary>
internal sealed class PingPongWindow
{
    private readonly IPeer _peer;
    private readonly MessageLayout _layout;
    private readonly uint _client;
    private readonly long _lossDeadline;
    private readonly byte[] _message;
    private readonly Slot[] _slots;
    private readonly AnswerLedger _ledger = new();
    private uint _lastSent;
    private bool _started;
    private int _oldest;

    public PingPongWindow(IPeer peer, MessageLayout layout, uint client, int parallelMessages, long lossDeadline)
    {
        _peer = peer;
        _layout = layout;
        _client = client;
        _lossDeadline = lossDeadline;
        _message = layout.CreateMessage();
        _slots = new Slot[parallelMessages];
    }

    /// <summary>Sends every slot's first message.</summary>
    public void Fill(WorkerStatistics worker)
    {
        _started = true;
        PhaseStatistics statistics = worker.Current;
        for (int slot = 0; slot < _slots.Length && statistics.Sends; slot++)
        {
            Send(slot, worker, statistics);
        }
    }

    /// <summary>Takes an answer: checks it, records its round trip, sends the next.</summary>
    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        int slot = _layout.IsIntact(message)
            ? _layout.IsTagged ? AcceptTagged(message, worker, statistics) : AcceptOldest(worker, statistics)
            : Corrupted(statistics);
        if (slot >= 0 && statistics.Sends)
        {
            Send(slot, worker, statistics);
        }
    }

    /// <summary>Gives up what is overdue, and fills slots whose message the library did not take.</summary>
    public void OnTick(WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        for (int slot = 0; slot < _slots.Length && _started; slot++)
        {
            if (_slots[slot].InFlight && worker.Now - _slots[slot].SentAt > _lossDeadline)
            {
                GiveUp(slot, statistics);
            }

            if (!_slots[slot].InFlight && statistics.Sends)
            {
                Send(slot, worker, statistics);
            }
        }
    }

    private static int Corrupted(PhaseStatistics statistics)
    {
        statistics.Counters.Corrupted++;
        return -1;
    }

    private static void Record(long sentAt, WorkerStatistics worker, PhaseStatistics statistics)
    {
        statistics.Counters.ClientReceived++;

        // There is none for an answer that comes while the run is taken down.
        statistics.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - sentAt));
    }

    private void Send(int slot, WorkerStatistics worker, PhaseStatistics statistics)
    {
        uint sequence = ++_lastSent;
        if (_layout.IsTagged)
        {
            MessageLayout.WriteTag(_message, _client, sequence, slot);
        }

        // In place before the call: a library that works in this process answers within it.
        _slots[slot] = new Slot(sequence, worker.Now, inFlight: true);
        statistics.Counters.ClientSent++;
        if (!_peer.Send(_message))
        {
            statistics.Counters.ClientSent--;
            _slots[slot].InFlight = false;
        }
    }

    // Returns the slot that is free now, or -1 where the answer freed none.
    private int AcceptTagged(ReadOnlySpan<byte> message, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (!MessageLayout.TryReadTag(message, _client, out uint sequence, out int slot)
            || (uint)slot >= (uint)_slots.Length
            || AnswerLedger.IsAfter(sequence, _lastSent))
        {
            return Corrupted(statistics);
        }

        ref Slot expected = ref _slots[slot];
        if (expected.InFlight && expected.Sequence == sequence)
        {
            expected.InFlight = false;
            _ledger.Order(sequence, statistics);
            Record(expected.SentAt, worker, statistics);
            return slot;
        }

        if (_ledger.AcceptLate(sequence, statistics, out long sentAt))
        {
            Record(sentAt, worker, statistics);
        }

        return -1;
    }

    // A message without a tag is taken for the answer to the oldest one in flight.
    private int AcceptOldest(WorkerStatistics worker, PhaseStatistics statistics)
    {
        for (int step = 0; step < _slots.Length; step++)
        {
            int slot = _oldest;
            _oldest = (_oldest + 1) % _slots.Length;
            if (_slots[slot].InFlight)
            {
                _slots[slot].InFlight = false;
                Record(_slots[slot].SentAt, worker, statistics);
                return slot;
            }
        }

        statistics.Counters.Duplicated++;
        return -1;
    }

    private void GiveUp(int slot, PhaseStatistics statistics)
    {
        _slots[slot].InFlight = false;
        if (_layout.IsTagged)
        {
            _ledger.GiveUp(_slots[slot].Sequence, _slots[slot].SentAt, statistics);
        }
        else
        {
            statistics.Counters.GivenUp++;
        }
    }

    private struct Slot(uint sequence, long sentAt, bool inFlight)
    {
        public readonly long SentAt = sentAt;
        public readonly uint Sequence = sequence;
        public bool InFlight = inFlight;
    }
}
