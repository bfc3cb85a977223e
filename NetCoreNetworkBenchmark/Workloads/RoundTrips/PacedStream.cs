using System.Diagnostics;
using System.Numerics;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// The messages of one client in an open loop, in a ring by their sequence numbers. A round trip counts from the time its message
/// was due, so a message that had to wait to be sent has waited as its user would have.
/// </summary>
internal sealed class PacedStream
{
    private static readonly long s_lateBound = (long)(SendSchedule.LateBound.TotalSeconds * Stopwatch.Frequency);

    private readonly IPeer _peer;
    private readonly MessageLayout _layout;
    private readonly uint _client;
    private readonly long _lossDeadline;
    private readonly Entry[] _entries;
    private AnswerLedger _ledger;

    // Messages from this one to the last sent are in the ring; the first is in flight, or has just been answered.
    private uint _oldest = 1;
    private uint _lastSent;

    // What a client that waits for its answers would have in flight; 0 for nothing.
    private uint _waitedFor;

    public PacedStream(IPeer peer, MessageLayout layout, uint client, int capacity, long lossDeadline)
    {
        _peer = peer;
        _layout = layout;
        _client = client;
        _lossDeadline = lossDeadline;
        _entries = new Entry[BitOperations.RoundUpToPowerOf2((uint)capacity)];
    }

    /// <summary>Sends the message that was due.</summary>
    public void Send(long due, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (!statistics.Sends)
        {
            return;
        }

        uint sequence = NextSequence(statistics);
        ref Entry entry = ref EntryOf(sequence);
        entry = new Entry { Sequence = sequence, Due = due, SentAt = worker.Now, InFlight = true };
        byte[] message = _layout.MessageOf(worker);
        if (_layout.IsTagged)
        {
            new MessageTag(_client, sequence, slot: 0).WriteTo(message);
        }

        _waitedFor = _waitedFor == 0 ? sequence : _waitedFor;
        int late = entry.SentAt - due > s_lateBound ? 1 : 0;

        // Counted before the call: a library that works in this process answers within it.
        statistics.Counters.ClientSent++;
        statistics.Counters.SentLate += late;
        if (!_peer.Send(message))
        {
            Take(ref entry);
            statistics.Counters.ClientSent--;
            statistics.Counters.SentLate -= late;
        }
    }

    /// <summary>Takes an answer: checks it and records its round trip.</summary>
    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (!_layout.IsIntact(message) || !TryFindSequence(message, out uint sequence))
        {
            statistics.Counters.Corrupted++;
            return;
        }

        ref Entry entry = ref EntryOf(sequence);
        if (entry.InFlight && entry.Sequence == sequence)
        {
            Accept(ref entry, worker, statistics);
        }
        else if (_ledger.AcceptLate(sequence, statistics, out long due))
        {
            Record(due, worker, statistics);
        }
    }

    /// <summary>Gives up what is overdue.</summary>
    public void OnTick(WorkerStatistics worker)
    {
        while (!AnswerLedger.IsAfter(_oldest, _lastSent))
        {
            ref Entry entry = ref EntryOf(_oldest);
            if (entry.InFlight && worker.Now - entry.SentAt <= _lossDeadline)
            {
                return;
            }

            GiveUp(ref entry, worker.Current);
            _oldest++;
        }
    }

    private static void Record(long due, WorkerStatistics worker, PhaseStatistics statistics)
    {
        statistics.Counters.ClientReceived++;

        // There is none for an answer that comes while the run is taken down.
        statistics.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - due));
    }

    private void Accept(ref Entry entry, WorkerStatistics worker, PhaseStatistics statistics)
    {
        bool wasWaitedFor = _waitedFor == entry.Sequence;
        Take(ref entry);
        _ledger.Order(entry.Sequence, statistics);
        Record(entry.Due, worker, statistics);
        if (wasWaitedFor)
        {
            statistics.Uncorrected?.Record(RunRecorder.ToNanoseconds(worker.Now - entry.SentAt));
        }
    }

    private void GiveUp(ref Entry entry, PhaseStatistics statistics)
    {
        if (entry.InFlight)
        {
            Take(ref entry);
            _ledger.GiveUp(entry.Sequence, entry.Due, statistics);
        }
    }

    // The message is in flight no more, whatever became of it.
    private void Take(ref Entry entry)
    {
        entry.InFlight = false;
        _waitedFor = _waitedFor == entry.Sequence ? 0 : _waitedFor;
    }

    private uint NextSequence(PhaseStatistics statistics)
    {
        uint sequence = ++_lastSent;

        // The ring holds what can be in flight until the deadline; should it be full all the same, its oldest makes room.
        if (sequence - _oldest >= (uint)_entries.Length)
        {
            GiveUp(ref EntryOf(_oldest), statistics);
            _oldest++;
        }

        return sequence;
    }

    private bool TryFindSequence(ReadOnlySpan<byte> message, out uint sequence)
    {
        if (!_layout.IsTagged)
        {
            sequence = OldestInFlight();
            return true;
        }

        var tag = MessageTag.ReadFrom(message);
        sequence = tag.Sequence;
        return tag.IsOf(_client) && !AnswerLedger.IsAfter(sequence, _lastSent);
    }

    // A message without a tag is taken for the answer to the oldest one in flight.
    private uint OldestInFlight()
    {
        while (!AnswerLedger.IsAfter(_oldest, _lastSent) && !EntryOf(_oldest).InFlight)
        {
            _oldest++;
        }

        return _oldest;
    }

    private ref Entry EntryOf(uint sequence) => ref _entries[sequence & (uint)(_entries.Length - 1)];

    private struct Entry
    {
        public long Due;
        public long SentAt;
        public uint Sequence;
        public bool InFlight;
    }
}
