namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

// If the times in the messages are those at which they were due, each is counted in the phase in which it was due.
internal sealed class MulticastListener(IPeer peer, MessageLayout layout, int messageSize, uint number, bool countsByDue)
{
    // One receive call of a stream returns thousands of messages, which the adapter passes on with one reading of the clock.
    private const int MessagesPerReading = 8;

    // Requests can be lost: a request without effect is repeated every 200 ms.
    private const int TicksPerRequest = 4;

    // Messages in the group's socket are read after the end has arrived at the other socket.
    private const int QuietTicks = 2;

    // The number of this client, or that of the group. The server decides it, so it is unknown before the first message of the stream.
    private uint? _streamReceiver;
    private MulticastSequenceTracker _tracker;
    private volatile State _state;
    private bool _receivedAny;
    private bool _receivedSinceTick;
    private byte _round;
    private MulticastRequestKind _requested;
    private int _ticksSinceRequest;
    private int _quietTicks;

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

    /// <summary>Whether the end of the stream has not been reached yet. Can be read from any thread.</summary>
    public bool IsAwaited => _state == State.Listening;

    public long Measured => Volatile.Read(ref _measured);

    public void Start(WorkerStatistics worker)
    {
        _round = (byte)((_round + 1) & MulticastRequest.LastRound);
        (_endSequence, _receivedAny, _receivedSinceTick, _quietTicks) = (null, false, false, 0);
        if (_streamReceiver == MulticastTag.Group)
        {
            // The group may have continued for other clients meanwhile.
            _tracker = new MulticastSequenceTracker(startsAnywhere: true);
        }

        _state = State.Listening;
        Request(MulticastRequestKind.Start, worker);
    }

    public void OnClosed() => _state = State.Done;

    public void OnMessage(ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        PhaseStatistics statistics = worker.Current;
        if (_state != State.Listening)
        {
            // Other clients of the group still listen, or the message is a duplicate.
            return;
        }

        _receivedAny = _receivedSinceTick = true;
        if (!layout.IsIntact(message))
        {
            statistics.Counters.Corrupted++;
        }
        else if (layout.IsTagged)
        {
            OnTagged(MulticastTag.ReadFrom(message), worker, statistics);
        }
        else
        {
            statistics.Counters.ClientReceived++;
            CountMeasured(statistics);
        }
    }

    public void OnTick(WorkerStatistics worker)
    {
        if (_state != State.Listening)
        {
            return;
        }

        bool stops = !worker.Current.Sends;
        _quietTicks = stops && !_receivedSinceTick ? _quietTicks + 1 : 0;
        _receivedSinceTick = false;
        if (_quietTicks >= QuietTicks && (_endSequence is not null || !layout.IsTagged))
        {
            Finish(worker.Current);
        }
        else if (stops ? _endSequence is null : !_receivedAny)
        {
            RepeatRequest(stops ? MulticastRequestKind.Stop : MulticastRequestKind.Start, worker);
        }
    }

    private void OnTagged(MulticastTag tag, WorkerStatistics worker, PhaseStatistics statistics)
    {
        if (tag.IsEnd)
        {
            TakeEnd(tag, statistics);
        }
        else if (!IsForThis(tag))
        {
            statistics.Counters.Corrupted++;
        }
        else if (IsOfThisStream(tag.Sequence) && _tracker.Take(tag.Sequence, statistics))
        {
            RefreshClock(tag.Time, worker);
            Record(tag.Time, worker);
        }
    }

    private bool IsForThis(MulticastTag tag)
    {
        if (_streamReceiver is { } receiver)
        {
            return tag.IsFor(receiver);
        }

        bool isGroup = tag.IsFor(MulticastTag.Group);
        if (!isGroup && !tag.IsFor(number))
        {
            return false;
        }

        // Other clients may have listened to the group before.
        (_streamReceiver, _tracker) = (isGroup ? MulticastTag.Group : number, new MulticastSequenceTracker(startsAnywhere: isGroup));
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

    private void TakeEnd(MulticastTag tag, PhaseStatistics statistics)
    {
        if (!tag.IsFor(number))
        {
            statistics.Counters.Corrupted++;
        }
        else if (_requested == MulticastRequestKind.Stop)
        {
            // Otherwise, it is the end of an earlier round, which arrives a second time.
            _endSequence ??= tag.Sequence;
        }
    }

    private void Finish(PhaseStatistics statistics)
    {
        if (_endSequence is { } last)
        {
            _tracker.End(last, statistics);
        }

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

    private void RepeatRequest(MulticastRequestKind kind, WorkerStatistics worker)
    {
        // The first request to stop is sent without a wait.
        if (++_ticksSinceRequest >= TicksPerRequest || kind != _requested)
        {
            Request(kind, worker);
        }
    }

    private void Request(MulticastRequestKind kind, WorkerStatistics worker)
    {
        (_requested, _ticksSinceRequest) = (kind, 0);
        worker.Current.Counters.ClientSent++;
        if (!peer.Send(new MulticastRequest(kind, _round, number).Compose(messageSize)))
        {
            worker.Current.Counters.ClientSent--;
        }
    }
}
