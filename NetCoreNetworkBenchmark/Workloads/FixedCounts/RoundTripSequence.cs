using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.FixedCounts;

/// <summary>
/// The round trips of one client. Each slot has one message in flight, and sends the next one when its message returns, until all messages are sent.
/// A lost message is not sent again.
/// </summary>
internal sealed class RoundTripSequence(IPeer peer, MessageLayout layout, uint client, int inFlight, int count, long lossDeadline)
{
    private readonly Slot[] _slots = new Slot[inFlight];

    private AnswerSequenceTracker _tracker;
    private uint _sent;
    private int _done;
    private int _oldest;
    private long _endedAt;

    /// <summary>The time of the first message (<see cref="RunRecorder.Clock"/>). Can be read from any thread after the end.</summary>
    public long StartedAt { get; private set; }

    /// <summary>The time at which the last message was answered or given up; 0 until then. Can be read from any thread.</summary>
    public long EndedAt => Volatile.Read(ref _endedAt);

    /// <summary>Sends the first message of every slot.</summary>
    public void Start(WorkerStatistics worker)
    {
        // Thousands of clients start one after the other in a single call of their thread.
        worker.ReadClock();
        StartedAt = worker.Now;
        for (int slot = 0; slot < _slots.Length; slot++)
        {
            Send(slot, worker);
        }
    }

    /// <summary>Handles an answer: records its round trip, and sends the next message.</summary>
    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        int slot = layout.IsIntact(message) ? SlotOf(message, worker) : Corrupted(worker.Current);
        if (slot >= 0)
        {
            Record(_slots[slot].SentAt, worker);
            Continue(slot, worker);
        }
    }

    /// <summary>Gives up overdue messages, and sends messages that the library did not accept before.</summary>
    public void OnTick(WorkerStatistics worker)
    {
        for (int slot = 0; StartedAt != 0 && slot < _slots.Length; slot++)
        {
            if (_slots[slot].InFlight && worker.Now - _slots[slot].SentAt > lossDeadline)
            {
                _tracker.GiveUp(_slots[slot].Tag.Sequence, _slots[slot].SentAt, worker.Current);
                Continue(slot, worker);
            }
            else if (!_slots[slot].InFlight)
            {
                Send(slot, worker);
            }
        }
    }

    private static int Corrupted(PhaseStatistics statistics)
    {
        statistics.Counters.Corrupted++;
        return -1;
    }

    private static void Record(long sentAt, WorkerStatistics worker)
    {
        worker.Current.Counters.ClientReceived++;
        worker.Current.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - sentAt));
    }

    private void Continue(int slot, WorkerStatistics worker)
    {
        _slots[slot].InFlight = false;
        if (++_done == count)
        {
            Volatile.Write(ref _endedAt, worker.Now);
        }

        Send(slot, worker);
    }

    private void Send(int slot, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (_sent == (uint)count || !statistics.Sends)
        {
            return;
        }

        var tag = new MessageTag(client, _sent + 1, slot);
        byte[] message = layout.MessageOf(worker);
        if (layout.IsTagged)
        {
            tag.WriteTo(message);
        }

        // Stored before the call: a library that works in this process returns the answer within it.
        _slots[slot] = new Slot(tag, worker.Now) { InFlight = true };
        _sent++;
        statistics.Counters.ClientSent++;
        if (!peer.Send(message))
        {
            _sent--;
            statistics.Counters.ClientSent--;
            _slots[slot].InFlight = false;
        }
    }

    // Returns the slot whose message was answered, or -1 if there is none.
    private int SlotOf(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (!layout.IsTagged)
        {
            return OldestInFlight(statistics);
        }

        var tag = MessageTag.ReadFrom(message);
        if ((uint)tag.Slot < (uint)_slots.Length && _slots[tag.Slot].InFlight && _slots[tag.Slot].Tag.Equals(tag))
        {
            _tracker.Order(tag.Sequence, statistics);
            return tag.Slot;
        }

        if (!tag.IsOf(client) || AnswerSequenceTracker.IsAfter(tag.Sequence, _sent))
        {
            return Corrupted(statistics);
        }

        if (_tracker.AcceptLate(tag.Sequence, statistics, out long sentAt))
        {
            Record(sentAt, worker);
        }

        return -1;
    }

    // A message without a tag counts as the answer to the oldest message in flight.
    private int OldestInFlight(PhaseStatistics statistics)
    {
        for (int step = 0; step < _slots.Length; step++)
        {
            int slot = (_oldest + step) % _slots.Length;
            if (_slots[slot].InFlight)
            {
                _oldest = (slot + 1) % _slots.Length;
                return slot;
            }
        }

        statistics.Counters.Duplicated++;
        return -1;
    }

    private struct Slot(MessageTag tag, long sentAt)
    {
        public readonly MessageTag Tag = tag;
        public readonly long SentAt = sentAt;
        public bool InFlight;
    }
}
