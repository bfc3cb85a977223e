namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

// If the times in the messages are those at which they were due, each is counted in the phase in which it was due.
internal abstract class PushListener(IPeer peer, RunPlan plan, uint number, bool countsByDue)
{
    // One receive call of a stream returns thousands of messages, which the adapter passes on with one reading of the clock.
    private const int MessagesPerReading = 8;

    // Requests can be lost: a request without effect is repeated every 200 ms.
    private const int TicksPerRequest = 4;

    // Messages in the group's socket are read after the end has arrived at the other socket.
    private const int QuietTicks = 2;

    private readonly long _lossDeadline = RunRecorder.ToTicks(plan.LossDeadline);

    // The number of this client, or that of the group. The server decides it, so it is unknown before the first message of the stream.
    private uint? _streamReceiver;
    private PushSequenceTracker _tracker;
    private volatile State _state;
    private bool _receivedAny;
    private bool _receivedSinceTick;
    private byte _round;
    private PushRequestKind _requested;
    private int _ticksSinceRequest;
    private int _quietTicks;
    private long? _stopsSince;

    // The last message of the stream; null until the server has sent its end. The client is done when nothing has arrived for a while after it.
    private uint? _endSequence;
    private long _clockReadAt;
    private int _messagesSinceReading;
    private long _measured;

    private enum State
    {
        Connected,
        Listening,
        Done,
    }

    /// <summary>Can be read from any thread.</summary>
    public bool IsAwaited => _state == State.Listening;

    /// <summary>The received messages of the measurement. Can be read from any thread.</summary>
    public long Measured => Volatile.Read(ref _measured);

    public void Start(WorkerStatistics worker)
    {
        _round = (byte)((_round + 1) & PushRequest.LastRound);
        (_endSequence, _receivedAny, _receivedSinceTick, _quietTicks, _stopsSince) = (null, false, false, 0, null);
        if (_streamReceiver == PushTag.Group)
        {
            // The group may have continued for other clients meanwhile.
            _tracker = new PushSequenceTracker(startsAnywhere: true);
        }

        _state = State.Listening;
        Request(PushRequestKind.Start, worker);
    }

    public void OnClosed() => _state = State.Done;

    public void OnDiscarded() => Volatile.Write(ref _measured, 0);

    public void OnMessage(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (_state != State.Listening)
        {
            // Other clients of the group still listen, or the message is a duplicate.
            return;
        }

        _receivedAny = _receivedSinceTick = true;
        if (!IsIntact(message))
        {
            statistics.Counters.Corrupted++;
        }
        else if (IsTagged)
        {
            OnTagged(PushTag.ReadFrom(message), message, worker, statistics);
        }
        else
        {
            statistics.Counters.ClientReceived++;
            CountMeasured(statistics);
        }
    }

    public virtual void OnDue(long due, WorkerStatistics worker) => throw new InvalidOperationException("The client has no schedule.");

    public void OnTick(WorkerStatistics worker)
    {
        if (_state != State.Listening)
        {
            return;
        }

        bool stops = !worker.Current.Sends;
        _quietTicks = stops && !_receivedSinceTick ? _quietTicks + 1 : 0;
        _receivedSinceTick = false;
        _stopsSince = stops ? _stopsSince ?? worker.Now : null;
        if (_quietTicks >= QuietTicks && (_endSequence is not null || !IsTagged)
            && (HasAllReliable || worker.IsOverdue(_stopsSince!.Value, _lossDeadline)))
        {
            Finish(worker.Current);
        }
        else if (stops ? _endSequence is null || !HasAllReliable : !_receivedAny)
        {
            RepeatRequest(stops ? PushRequestKind.Stop : PushRequestKind.Start, worker);
        }
    }

    protected virtual bool IsTagged => true;

    protected IPeer Peer => peer;

    /// <summary>From 1.</summary>
    protected uint Number => number;

    /// <summary>Checks the size and the content, not the tag.</summary>
    protected abstract bool IsIntact(ReadOnlySpan<byte> message);

    /// <summary>Whether all that either side sent by <see cref="IPeer.SendReliable(ReadOnlySpan{byte})"/> has arrived. The stream ends after it.</summary>
    protected virtual bool HasAllReliable => true;

    /// <returns>Whether the message, which is not of the stream, is for this client.</returns>
    protected virtual bool TryTakeReliable(PushTag tag, ReadOnlySpan<byte> message, WorkerStatistics worker) => false;

    /// <summary>Called again if the end arrives again.</summary>
    protected virtual void OnEnd(ReadOnlySpan<byte> end)
    {
        // Most streams have no more than their messages.
    }

    protected virtual void OnFinished()
    {
        // As above.
    }

    /// <summary>Called only when a message arrives for the first time.</summary>
    protected virtual void OnContent(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        // Most messages are only counted.
    }

    private void OnTagged(PushTag tag, ReadOnlySpan<byte> message, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (tag.IsEnd)
        {
            TakeEnd(tag, message, statistics);
        }
        else if (!IsForThis(tag))
        {
            statistics.Counters.Corrupted += TryTakeReliable(tag, message, worker) ? 0 : 1;
        }
        else if (IsOfThisStream(tag.Sequence) && _tracker.Take(tag.Sequence, statistics))
        {
            RefreshClock(tag.Time, worker);
            Record(tag.Time, worker);
            OnContent(message, worker);
        }
    }

    private bool IsForThis(PushTag tag)
    {
        if (_streamReceiver is { } receiver)
        {
            return tag.IsFor(receiver);
        }

        bool isGroup = tag.IsFor(PushTag.Group);
        if (!isGroup && !tag.IsFor(number))
        {
            return false;
        }

        // Other clients may have listened to the group before.
        (_streamReceiver, _tracker) = (isGroup ? PushTag.Group : number, new PushSequenceTracker(startsAnywhere: isGroup));
        return true;
    }

    // The group continues for other clients after this client's end.
    private bool IsOfThisStream(uint sequence) => _endSequence is not { } last || !SequenceNumber.IsAfter(sequence, last);

    private void Record(long time, WorkerStatistics worker)
    {
        PhaseInterval interval = countsByDue ? worker.IntervalOf(time) : worker.CurrentInterval;
        interval.RecordAnswer(time, RunRecorder.ToNanoseconds(worker.Now - time));
        CountMeasured(interval.Statistics);
    }

    private void CountMeasured(PhaseStatistics statistics)
    {
        if (statistics.Phase == RunPhase.Measure)
        {
            // Only the thread of this client writes.
            Volatile.Write(ref _measured, _measured + 1);
        }
    }

    private void TakeEnd(PushTag tag, ReadOnlySpan<byte> message, PhaseStatistics statistics)
    {
        if (!tag.IsFor(number))
        {
            statistics.Counters.Corrupted++;
        }
        else if (_requested == PushRequestKind.Stop)
        {
            // Otherwise, it is the end of an earlier round, which arrives a second time.
            _endSequence ??= tag.Sequence;
            OnEnd(message);
        }
    }

    private void Finish(PhaseStatistics statistics)
    {
        if (_endSequence is { } last)
        {
            _tracker.End(last, statistics);
        }

        OnFinished();
        _state = State.Done;
    }

    private void RefreshClock(long sentAt, WorkerStatistics worker)
    {
        if (worker.Now != _clockReadAt)
        {
            (_clockReadAt, _messagesSinceReading) = (worker.Now, 0);
        }

        if (++_messagesSinceReading >= MessagesPerReading || sentAt > worker.Now)
        {
            worker.ReadClock();
            (_clockReadAt, _messagesSinceReading) = (worker.Now, 0);
        }
    }

    private void RepeatRequest(PushRequestKind kind, WorkerStatistics worker)
    {
        // The first request to stop is sent without a wait.
        if (++_ticksSinceRequest >= TicksPerRequest || kind != _requested)
        {
            Request(kind, worker);
        }
    }

    private void Request(PushRequestKind kind, WorkerStatistics worker)
    {
        (_requested, _ticksSinceRequest) = (kind, 0);
        worker.Current.Counters.ClientSent++;
        if (!peer.Send(new PushRequest(kind, _round, number).Compose(plan.MessageSize)))
        {
            worker.Current.Counters.ClientSent--;
        }
    }
}
