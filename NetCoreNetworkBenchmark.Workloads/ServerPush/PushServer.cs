namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

/// <summary>Has a stream for each client that requested one, or one for the group as long as any client listens to it.</summary>
internal sealed class PushServer : IServerHandler, IAsyncDisposable
{
    private readonly RunRecorder _recorder;
    private readonly Func<PushSource> _createSource;
    private readonly SendSchedule? _schedule;
    private readonly Lazy<PushPacer>? _pacer;
    private IPeer? _group;
    private int _listeners;

    public PushServer(RunPlan plan, RunRecorder recorder, Func<PushSource> createSource)
    {
        (_recorder, _createSource) = (recorder, createSource);
        if (plan.Rate is { } rate)
        {
            _schedule = plan.Tick is { } tick
                ? new SendSchedule(plan.Clients / tick.TotalSeconds, plan.Clients) { IsTick = true }
                : new SendSchedule(rate, plan.Clients) { LateBound = plan.Impairment.LateBound };

            // Created when the first stream begins. Then it is known whether there is a group, which has one slot for all clients.
            _pacer = new Lazy<PushPacer>(
                () => new PushPacer(_schedule, slots: Volatile.Read(ref _group) is null ? plan.Clients : 1, recorder, plan.StopDeadline));
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        peer.State = new PushStream(peer, _createSource(), _schedule);
        if (peer.IsGroup)
        {
            Volatile.Write(ref _group, peer);
        }
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        worker.Current.Counters.ServerReceived++;
        PushRequest request = PushRequest.Read(message);
        PushStream stream = StreamOf(peer);
        if (request.Kind == PushRequestKind.None)
        {
            stream.Source.OnMessage(message);
            return;
        }

        bool isNew = stream.Round is not { } latest || PushRequest.IsAfter(request.Round, latest);
        bool isCurrent = isNew || stream.Round == request.Round;
        stream.Round = isNew ? request.Round : stream.Round;
        if (request.Kind == PushRequestKind.Start && isNew && !stream.IsRunning)
        {
            Start(peer, stream, request.Client);
        }
        else if (request.Kind == PushRequestKind.Stop && isCurrent)
        {
            OnStopRequest(peer, stream, request.Client, worker);
        }
    }

    public void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        PushStream stream = StreamOf(peer);
        if (peer.IsGroup)
        {
            FollowListeners(peer, stream);
        }
        else if (Volatile.Read(ref _group) is not null)
        {
            return;
        }

        stream.SendMore(worker);
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        if (!peer.IsGroup)
        {
            _recorder.CountDisconnect(RunRecorder.PeerLost);
            Stop(peer, StreamOf(peer));
        }
    }

    public ValueTask DisposeAsync() => _pacer is { IsValueCreated: true } pacer ? pacer.Value.DisposeAsync() : ValueTask.CompletedTask;

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static PushStream StreamOf(IPeer peer) => Unsafe.As<PushStream>(peer.State!);

    private void Start(IPeer peer, PushStream stream, uint client)
    {
        if (Volatile.Read(ref _group) is { } group)
        {
            // The client's own stream sends nothing. Its running state indicates that the client listens.
            stream.Begin(client);
            Interlocked.Increment(ref _listeners);
            group.Wake();
            return;
        }

        Begin(peer, stream, client);

        // Messages are not sent from here: the request of the next client may wait behind this one.
        peer.Wake();
    }

    private void Begin(IPeer peer, PushStream stream, uint receiver)
    {
        if (_pacer is null)
        {
            stream.Begin(receiver);
        }
        else if (_pacer.Value.TryAdd(peer) is { } turn)
        {
            stream.Begin(receiver, turn);
        }
        else
        {
            _recorder.CountError("more clients than the schedule has slots for");
        }
    }

    private void Stop(IPeer peer, PushStream stream)
    {
        bool listened = stream.IsRunning;
        stream.Stop();
        if (Volatile.Read(ref _group) is not { } group)
        {
            RemoveFromSchedule(peer);
        }
        else if (listened && Interlocked.Decrement(ref _listeners) == 0)
        {
            group.Wake();
        }
    }

    // Messages that were due before the first request are sent before the end: a server that stood still over the end of the measurement has late messages
    // and not fewer. If they cannot be sent yet, the client repeats its request.
    private void OnStopRequest(IPeer peer, PushStream stream, uint client, WorkerStatistics worker)
    {
        worker.ReadClock();
        stream.StopRequestedAt ??= worker.Now;
        PushStream source = Volatile.Read(ref _group) is { } group ? StreamOf(group) : stream;
        if (source == stream)
        {
            stream.SendMore(worker);
        }

        if (source.NextDue > stream.StopRequestedAt && stream.TrySendReliable())
        {
            Stop(peer, stream);
            SendEnd(peer, stream, client);
        }
    }

    private void RemoveFromSchedule(IPeer peer)
    {
        if (_pacer is { IsValueCreated: true } pacer)
        {
            pacer.Value.Remove(peer);
        }
    }

    // Called on the group's own thread, so that its stream begins and ends there.
    private void FollowListeners(IPeer group, PushStream stream)
    {
        bool hasListeners = Volatile.Read(ref _listeners) > 0;
        if (hasListeners && !stream.IsRunning)
        {
            Begin(group, stream, PushTag.Group);
        }
        else if (!hasListeners && stream.IsRunning)
        {
            stream.Stop();
            RemoveFromSchedule(group);
        }
    }

    private void SendEnd(IPeer peer, PushStream stream, uint client)
    {
        if (stream.Source.IsTagged)
        {
            uint last = Volatile.Read(ref _group) is { } group ? StreamOf(group).LastSequence : stream.LastSequence;
            byte[] end = stream.Source.CreateMessage();
            new PushTag(client, last, time: 0).WriteTo(end);
            _ = peer.Send(end);
        }
    }
}
