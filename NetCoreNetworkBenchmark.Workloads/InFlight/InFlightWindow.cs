namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// Clients are numbered from 1. The times are in ticks of the clock.
internal readonly record struct WindowSetup(IPeer Peer, uint Client, MessageLayout Layout, long LossDeadline, long Think = 0);

// A derived class is a policy: it decides when a slot's message is sent and given up. Late, duplicated, reordered and corrupted ones count alike here.
internal abstract class InFlightWindow
{
    // The clock counts from the start of the machine, so no message is sent at 0.
    private const long NotInFlight = 0;

    private readonly IPeer _peer;
    private readonly uint _client;
    private readonly Slot[] _slots;
    private AnswerSequenceTracker _tracker;
    private uint _lastSent;

    // The messages that were answered, given up or not accepted by the library.
    private uint _settled;
    private long _endedAt;

    protected InFlightWindow(in WindowSetup setup, int slots)
    {
        (_peer, _client, Layout, LossDeadline, _) = setup;
        _slots = new Slot[slots];
    }

    /// <summary>By <see cref="RunRecorder.Clock"/>; 0 before the first start. Can be read from any thread after the end.</summary>
    public long StartedAt { get; private set; }

    /// <summary>Can be read from any thread after the end.</summary>
    public bool WasMeasured { get; private set; }

    /// <summary>0 until the load of this client has ended by itself. Can be read from any thread.</summary>
    public long EndedAt => Volatile.Read(ref _endedAt);

    /// <summary>Can be read from any thread.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Null if the plan interrupts nothing.</summary>
    public ClientSilence? Silence { get; set; }

    protected MessageLayout Layout { get; }

    protected long LossDeadline { get; }

    protected int Slots => _slots.Length;

    // A difference wraps with its two counts, after 2^32 messages of one client.
    protected int InFlight => (int)(_lastSent - _settled);

    /// <summary>The slot of the oldest message in flight, or one before it. An answer without a tag belongs to the oldest message in flight.</summary>
    protected int Oldest { get; set; }

    public abstract void Start(WorkerStatistics worker);

    /// <summary>Gives up overdue messages, and sends those that the library did not accept before.</summary>
    public abstract void OnTick(WorkerStatistics worker);

    /// <summary>Called by any thread while nothing is sent, before another start.</summary>
    public void Prepare() => Volatile.Write(ref _endedAt, 0);

    public void Abandon(WorkerStatistics worker)
    {
        GiveUpAll(worker);
        IsClosed = true;
    }

    protected bool IsInFlight(int slot) => _slots[slot].SentAt != NotInFlight;

    protected bool IsOverdue(int slot, WorkerStatistics worker) => worker.IsOverdue(_slots[slot].SentAt, LossDeadline);

    protected void Begin(WorkerStatistics worker)
    {
        StartedAt = worker.Now;
        WasMeasured = worker.Current.Phase == RunPhase.Measure;
    }

    protected void End(WorkerStatistics worker) => Volatile.Write(ref _endedAt, worker.Now);

    // The round trip starts at the send, or at the time at which the message was due.
    protected bool Send(int slot, long timedFrom, byte[] message, WorkerStatistics worker, PhaseStatistics statistics)
    {
        var tag = new MessageTag(_client, ++_lastSent, slot);
        ReadOnlySpan<byte> sent = Layout.Complete(message, tag);

        // Stored and counted before the call: a library that works in this process returns the answer within it.
        _slots[slot] = new Slot(tag, worker.Now, timedFrom);
        statistics.Counters.ClientSent++;
        if (_peer.Send(sent))
        {
            return true;
        }

        statistics.Counters.ClientSent--;
        Free(slot);
        return false;
    }

    // Returns the slot of the message, which has none in flight any more; -1 if the answer freed none.
    protected int Accept(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        if (!Layout.IsIntact(message))
        {
            return Corrupted(worker);
        }

        if (!Layout.IsTagged)
        {
            return AcceptOldest(worker);
        }

        var tag = MessageTag.ReadFrom(message);
        int slot = tag.Slot;
        if ((uint)slot >= (uint)_slots.Length)
        {
            return Corrupted(worker);
        }

        ref Slot expected = ref _slots[slot];
        if (expected.SentAt == NotInFlight || !expected.Tag.Equals(tag))
        {
            return AcceptUnexpected(tag, worker);
        }

        expected.SentAt = NotInFlight;
        _settled++;
        return slot;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)] // Within a sealed class, the call of the virtual method is then a direct one.
    protected PhaseStatistics Record(int slot, WorkerStatistics worker)
    {
        ref Slot accepted = ref _slots[slot];
        return Record(accepted.Tag.Sequence, accepted.TimedFrom, worker);
    }

    // By default, a message belongs to the phase in which its answer arrives.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected virtual PhaseStatistics Record(uint sequence, long timedFrom, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        Order(sequence, statistics);
        statistics.Counters.ClientReceived++;
        if (worker.RanSince(timedFrom))
        {
            // There is no histogram for an answer that arrives while the run is shut down.
            statistics.Latency?.Record(RunRecorder.ToNanoseconds(worker.Now - timedFrom));
        }

        return statistics;
    }

    protected virtual PhaseStatistics StatisticsOf(long timedFrom, WorkerStatistics worker) => worker.Current;

    protected void Order(uint sequence, PhaseStatistics statistics)
    {
        if (Layout.IsTagged)
        {
            _tracker.Order(sequence, statistics);
        }
    }

    protected void GiveUp(int slot, WorkerStatistics worker)
    {
        (MessageTag tag, long timedFrom) = (_slots[slot].Tag, _slots[slot].TimedFrom);
        Free(slot);
        StatisticsOf(timedFrom, worker).Counters.GivenUp++;
        if (Layout.IsTagged)
        {
            _tracker.GiveUp(tag.Sequence, timedFrom);
        }
    }

    protected void GiveUpAll(WorkerStatistics worker)
    {
        for (int slot = 0; InFlight > 0; slot++)
        {
            if (IsInFlight(slot))
            {
                GiveUp(slot, worker);
            }
        }

        Oldest = 0;
    }

    /// <summary>A message must be in flight.</summary>
    protected int FindOldest()
    {
        while (!IsInFlight(Oldest))
        {
            Oldest = Next(Oldest);
        }

        return Oldest;
    }

    protected int Next(int slot) => slot + 1 == _slots.Length ? 0 : slot + 1;

    private static int Corrupted(WorkerStatistics worker)
    {
        worker.Current.Counters.Corrupted++;
        return -1;
    }

    private int AcceptOldest(WorkerStatistics worker)
    {
        if (InFlight == 0)
        {
            worker.Current.Counters.Duplicated++;
            return -1;
        }

        int slot = FindOldest();
        Oldest = Next(slot);
        Free(slot);
        return slot;
    }

    private int AcceptUnexpected(MessageTag tag, WorkerStatistics worker)
    {
        if (!tag.IsOf(_client) || SequenceNumber.IsAfter(tag.Sequence, _lastSent))
        {
            return Corrupted(worker);
        }

        if (_tracker.TakeGivenUp(tag.Sequence, out long timedFrom))
        {
            Record(tag.Sequence, timedFrom, worker).Counters.Late++;
        }
        else
        {
            worker.Current.Counters.Duplicated++;
        }

        return -1;
    }

    private void Free(int slot)
    {
        _slots[slot].SentAt = NotInFlight;
        _settled++;
    }

    private struct Slot(MessageTag tag, long sentAt, long timedFrom)
    {
        public readonly MessageTag Tag = tag;
        public readonly long TimedFrom = timedFrom;
        public long SentAt = sentAt;
    }
}
