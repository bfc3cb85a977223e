using System.Diagnostics;
using System.Numerics;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>
/// The messages of one client in an open loop, in a ring by sequence number. A round trip counts from the time at which its message was due. It
/// therefore includes the wait before the send, as a user would experience it. A message is counted in the phase in which it was due.
/// </summary>
internal sealed class PacedStream
{
    private static readonly long s_lateBound = (long)(SendSchedule.LateBound.TotalSeconds * Stopwatch.Frequency);

    private readonly IPeer _peer;
    private readonly MessageLayout _layout;
    private readonly uint _client;
    private readonly long _lossDeadline;
    private readonly Entry[] _entries;
    private AnswerSequenceTracker _tracker;

    // Messages from this one to the last sent one are in the ring. The first is in flight, or has just been answered.
    private uint _oldest = 1;
    private uint _lastSent;

    // The message that a client that waits for its answers would have in flight; 0 for none.
    private uint _waitedFor;

    public PacedStream(IPeer peer, MessageLayout layout, uint client, int capacity, long lossDeadline)
    {
        _peer = peer;
        _layout = layout;
        _client = client;
        _lossDeadline = lossDeadline;
        _entries = new Entry[BitOperations.RoundUpToPowerOf2((uint)capacity)];
    }

    /// <summary>Sends the message that is due.</summary>
    public void Send(long due, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.IntervalOf(due).Statistics;
        if (!statistics.Sends)
        {
            return;
        }

        uint sequence = NextSequence(worker);
        ref Entry entry = ref EntryOf(sequence);
        entry = new Entry { Sequence = sequence, Due = due, SentAt = worker.Now, InFlight = true };
        byte[] message = _layout.MessageOf(worker);
        if (_layout.IsTagged)
        {
            new MessageTag(_client, sequence, slot: 0).WriteTo(message);
        }

        _waitedFor = _waitedFor == 0 ? sequence : _waitedFor;
        int late = entry.SentAt - due > s_lateBound ? 1 : 0;

        // Counted before the call: a library that works in this process returns the answer within it.
        statistics.Counters.ClientSent++;
        statistics.Counters.SentLate += late;
        if (!_peer.Send(message))
        {
            Take(ref entry);
            statistics.Counters.ClientSent--;
            statistics.Counters.SentLate -= late;
        }
    }

    /// <summary>Handles an answer: checks it and records its round trip.</summary>
    public void OnAnswer(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        if (!_layout.IsIntact(message) || !TryFindSequence(message, out uint sequence))
        {
            worker.Current.Counters.Corrupted++;
            return;
        }

        ref Entry entry = ref EntryOf(sequence);
        if (entry.InFlight && entry.Sequence == sequence)
        {
            Accept(ref entry, worker);
        }
        else if (_tracker.TakeGivenUp(sequence, out long due))
        {
            PhaseInterval interval = worker.IntervalOf(due);
            interval.Statistics.Counters.Late++;
            _tracker.Order(sequence, interval.Statistics);
            interval.RecordAnswer(due, RunRecorder.ToNanoseconds(worker.Now - due));
        }
        else
        {
            worker.Current.Counters.Duplicated++;
        }
    }

    /// <summary>Gives up overdue messages.</summary>
    public void OnTick(WorkerStatistics worker)
    {
        while (!AnswerSequenceTracker.IsAfter(_oldest, _lastSent))
        {
            ref Entry entry = ref EntryOf(_oldest);
            if (entry.InFlight && worker.Now - entry.SentAt <= _lossDeadline)
            {
                return;
            }

            GiveUp(ref entry, worker);
            _oldest++;
        }
    }

    /// <summary>Gives up all messages in flight, because the connection is gone.</summary>
    public void Abandon(WorkerStatistics worker)
    {
        for (; !AnswerSequenceTracker.IsAfter(_oldest, _lastSent); _oldest++)
        {
            GiveUp(ref EntryOf(_oldest), worker);
        }
    }

    private void Accept(ref Entry entry, WorkerStatistics worker)
    {
        bool wasWaitedFor = _waitedFor == entry.Sequence;
        Take(ref entry);
        PhaseInterval interval = worker.IntervalOf(entry.Due);
        _tracker.Order(entry.Sequence, interval.Statistics);
        interval.RecordAnswer(entry.Due, RunRecorder.ToNanoseconds(worker.Now - entry.Due));
        if (wasWaitedFor)
        {
            interval.Statistics.Uncorrected?.Record(RunRecorder.ToNanoseconds(worker.Now - entry.SentAt));
        }
    }

    private void GiveUp(ref Entry entry, WorkerStatistics worker)
    {
        if (entry.InFlight)
        {
            Take(ref entry);
            _tracker.GiveUp(entry.Sequence, entry.Due, worker.IntervalOf(entry.Due).Statistics);
        }
    }

    // The message is no longer in flight, independent of its outcome.
    private void Take(ref Entry entry)
    {
        entry.InFlight = false;
        _waitedFor = _waitedFor == entry.Sequence ? 0 : _waitedFor;
    }

    private uint NextSequence(WorkerStatistics worker)
    {
        uint sequence = ++_lastSent;

        // The ring holds the messages that can be in flight until the deadline. If it is full nevertheless, the oldest one is given up.
        if (sequence - _oldest >= (uint)_entries.Length)
        {
            GiveUp(ref EntryOf(_oldest), worker);
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
        return tag.IsOf(_client) && !AnswerSequenceTracker.IsAfter(sequence, _lastSent);
    }

    // A message without a tag counts as the answer to the oldest message in flight.
    private uint OldestInFlight()
    {
        while (!AnswerSequenceTracker.IsAfter(_oldest, _lastSent) && !EntryOf(_oldest).InFlight)
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
