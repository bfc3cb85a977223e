namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

// Used in calls for the peer, except the members that any thread may read.
internal sealed class PushStream(IPeer peer, PushSource source, SendSchedule? schedule)
{
    // The clock is read once for this many messages of a burst, so a message counts from its send call or from slightly before it.
    private const int MessagesPerReading = 8;
    private readonly long _lateBound = schedule is null ? 0 : RunRecorder.ToTicks(schedule.LateBound);

    private uint _receiver;
    private uint _sequence;
    private long _start;
    private int _slot;
    private long _nextRound;
    private int _sentOfTurn;
    private volatile bool _isRunning;

    /// <summary>Can be read from any thread.</summary>
    public bool IsRunning => _isRunning;

    // MaxValue without a schedule, and if the stream is not running. Can be read from any thread.
    public long NextDue => schedule is null || !IsRunning ? long.MaxValue : schedule.DueAt(_start, Volatile.Read(ref _nextRound), _slot);

    public PushSource Source => source;

    // The time of the first request to stop since the stream began; null if there was none.
    public long? StopRequestedAt { get; set; }

    /// <summary>The latest round that was started or stopped; null before the first. A request may arrive twice, and late.</summary>
    public byte? Round { get; set; }

    /// <summary>Can be read from any thread.</summary>
    public uint LastSequence => Volatile.Read(ref _sequence);

    public void Begin(uint receiver)
    {
        _receiver = receiver;
        StopRequestedAt = null;
        source.Begin();
        _isRunning = true;
    }

    public void Begin(uint receiver, PushTurn turn)
    {
        (_start, _slot, _nextRound) = (turn.Start, turn.Slot, turn.FirstRound);
        Begin(receiver);
    }

    public void Stop() => _isRunning = false;

    /// <inheritdoc cref="PushSource.TrySendReliable"/>
    public bool TrySendReliable()
    {
        if (source.TrySendReliable(peer, _receiver))
        {
            return true;
        }

        peer.Wake();
        return false;
    }

    public void SendMore(WorkerStatistics worker)
    {
        if (!IsRunning)
        {
            return;
        }

        if (schedule is not null)
        {
            SendDue(schedule, worker);
        }
        else if (worker.Current.Sends)
        {
            SendAll(worker, worker.Current);
        }
    }

    private void SendAll(WorkerStatistics worker, PhaseStatistics statistics)
    {
        for (int sent = 0; !peer.IsCongested; sent++)
        {
            if (sent % MessagesPerReading == 0)
            {
                worker.ReadClock();
            }

            if (!TrySend(worker.Now, worker, statistics))
            {
                return;
            }
        }
    }

    private void SendDue(SendSchedule schedule, WorkerStatistics worker)
    {
        worker.ReadClock();
        while (schedule.DueAt(_start, _nextRound, _slot) is var due && due <= worker.Now && !peer.IsCongested)
        {
            // A message that was due while nothing is to be sent is left out.
            PhaseStatistics statistics = worker.IntervalOf(due).Statistics;
            long now = worker.Now;
            bool isMissed = schedule.IsTick && schedule.DueAt(_start, _nextRound + 1, _slot) <= now;
            if (statistics.Sends && !isMissed && !TrySendTurn(due, worker, statistics))
            {
                return;
            }

            bool isLate = isMissed || (!schedule.IsTick && now - due > _lateBound);
            statistics.Counters.SentLate += statistics.Sends && isLate ? source.MessagesPerTurn * peer.Receivers : 0;
            Volatile.Write(ref _nextRound, _nextRound + 1);
            worker.ReadClock();
        }
    }

    // The rest of a turn that the library did not accept is sent by the next call.
    private bool TrySendTurn(long due, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (_sentOfTurn == 0 && !TrySendReliable())
        {
            return false;
        }

        for (; _sentOfTurn < source.MessagesPerTurn; _sentOfTurn++)
        {
            if (!TrySend(due, worker, statistics))
            {
                return false;
            }
        }

        _sentOfTurn = 0;
        return true;
    }

    private bool TrySend(long time, WorkerStatistics worker, PhaseStatistics statistics)
    {
        Span<byte> message = source.MessageOf(_sentOfTurn, worker);
        if (source.IsTagged)
        {
            new PushTag(_receiver, _sequence + 1, time).WriteTo(message);
        }

        // Counted before the call: a library that works in this process delivers the message within it.
        int receivers = peer.Receivers;
        Volatile.Write(ref _sequence, _sequence + 1);
        statistics.Counters.ServerSent += receivers;
        if (peer.Send(message))
        {
            return true;
        }

        Volatile.Write(ref _sequence, _sequence - 1);
        statistics.Counters.ServerSent -= receivers;

        // The library has counted the reason. The next turn tries again.
        peer.Wake();
        return false;
    }
}
