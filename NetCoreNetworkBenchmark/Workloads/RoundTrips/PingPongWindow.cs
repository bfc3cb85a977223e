using System.Diagnostics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// The messages that one client has in flight, one in each slot. When the message of a slot returns, or is in flight for longer than the
/// deadline, the slot sends its next one. The load therefore stays constant.
/// </summary>
internal sealed class PingPongWindow
{
    // A message is therefore given up late by at most a twentieth of its deadline, and by at most half a second.
    private const int LooksADeadline = 20;
    private static readonly long s_longestRest = Stopwatch.Frequency / 2;

    private readonly IPeer _peer;
    private readonly MessageLayout _layout;
    private readonly uint _client;
    private readonly long _lossDeadline;
    private readonly Slot[] _slots;
    private AnswerSequenceTracker _tracker;
    private uint _lastSent;
    private bool _started;

    // Whether a slot has no message in flight because the library did not accept it.
    private bool _hasFree;
    private long _nextLook;
    private int _oldest;

    public PingPongWindow(IPeer peer, MessageLayout layout, uint client, int parallelMessages, long lossDeadline)
    {
        _peer = peer;
        _layout = layout;
        _client = client;
        _lossDeadline = lossDeadline;
        _slots = new Slot[parallelMessages];
    }

    /// <summary>Sends a message of every slot that has none in flight: of all slots at the start of the load, and again after a pause.</summary>
    public void Fill(WorkerStatistics worker)
    {
        _started = true;
        PhaseStatistics statistics = worker.Current;
        for (int slot = 0; slot < _slots.Length && statistics.Sends; slot++)
        {
            if (!_slots[slot].InFlight)
            {
                Send(slot, worker, statistics);
            }
        }
    }

    /// <summary>Handles an answer: checks it, records its round trip, and sends the next message.</summary>
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

    /// <summary>Gives up overdue messages, and fills slots whose message the library did not accept.</summary>
    public void OnTick(WorkerStatistics worker)
    {
        if (!_started || (!_hasFree && worker.Now < _nextLook))
        {
            return;
        }

        // A hundred clients with a thousand slots are too many to check twenty times a second, and no message is overdue so soon.
        _nextLook = worker.Now + Math.Min(_lossDeadline / LooksADeadline, s_longestRest);
        _hasFree = false;
        PhaseStatistics statistics = worker.Current;
        for (int slot = 0; slot < _slots.Length; slot++)
        {
            if (_slots[slot].InFlight && worker.IsOverdue(_slots[slot].SentAt, _lossDeadline))
            {
                GiveUp(slot, statistics);
            }

            if (!_slots[slot].InFlight && statistics.Sends)
            {
                Send(slot, worker, statistics);
            }
        }
    }

    /// <summary>Gives up all messages in flight, because the connection is gone.</summary>
    public void Abandon(WorkerStatistics worker)
    {
        for (int slot = 0; slot < _slots.Length; slot++)
        {
            if (_slots[slot].InFlight)
            {
                GiveUp(slot, worker.Current);
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

        if (worker.RanSince(sentAt))
        {
            // There is no histogram for an answer that arrives while the run is shut down.
            statistics.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - sentAt));
        }
    }

    private void Send(int slot, WorkerStatistics worker, PhaseStatistics statistics)
    {
        var tag = new MessageTag(_client, ++_lastSent, slot);
        byte[] message = _layout.MessageOf(worker);
        if (_layout.IsTagged)
        {
            tag.WriteTo(message);
        }

        // Stored before the call: a library that works in this process returns the answer within it.
        _slots[slot] = new Slot(tag, worker.Now, inFlight: true);
        statistics.Counters.ClientSent++;
        if (!_peer.Send(message))
        {
            statistics.Counters.ClientSent--;
            _slots[slot].InFlight = false;
            _hasFree = true;
        }
    }

    // Returns the slot that is now free, or -1 if the answer did not free one.
    private int AcceptTagged(ReadOnlySpan<byte> message, WorkerStatistics worker, PhaseStatistics statistics)
    {
        var tag = MessageTag.ReadFrom(message);
        int slot = tag.Slot;
        if ((uint)slot >= (uint)_slots.Length)
        {
            return Corrupted(statistics);
        }

        ref Slot expected = ref _slots[slot];
        if (!expected.InFlight || !expected.Tag.Equals(tag))
        {
            return AcceptUnexpected(tag, worker, statistics);
        }

        expected.InFlight = false;
        _tracker.Order(tag.Sequence, statistics);
        Record(expected.SentAt, worker, statistics);
        return slot;
    }

    private int AcceptUnexpected(MessageTag tag, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (!tag.IsOf(_client) || AnswerSequenceTracker.IsAfter(tag.Sequence, _lastSent))
        {
            return Corrupted(statistics);
        }

        if (_tracker.AcceptLate(tag.Sequence, statistics, out long sentAt))
        {
            Record(sentAt, worker, statistics);
        }

        return -1;
    }

    // A message without a tag counts as the answer to the oldest message in flight.
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
            _tracker.GiveUp(_slots[slot].Tag.Sequence, _slots[slot].SentAt, statistics);
        }
        else
        {
            statistics.Counters.GivenUp++;
        }
    }

    private struct Slot(MessageTag tag, long sentAt, bool inFlight)
    {
        public readonly MessageTag Tag = tag;
        public readonly long SentAt = sentAt;
        public bool InFlight = inFlight;
    }
}
