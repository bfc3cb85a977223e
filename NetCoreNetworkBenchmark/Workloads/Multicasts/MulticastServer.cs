namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

/// <summary>The server's side: a stream for each client that requested one, or one for the group as long as any client listens to it.</summary>
internal sealed class MulticastServer : IServerHandler, IAsyncDisposable
{
    private readonly RunRecorder _recorder;
    private readonly MessageLayout _layout;
    private readonly SendSchedule? _schedule;
    private readonly Lazy<MulticastPacer>? _pacer;
    private IPeer? _group;
    private int _listeners;

    public MulticastServer(RunPlan plan, RunRecorder recorder)
    {
        _recorder = recorder;
        _layout = new MessageLayout(plan);
        if (plan.Rate is { } rate)
        {
            _schedule = new SendSchedule(rate, plan.Clients);

            // Created when the first stream begins. Then it is known whether there is a group, which has one slot for all clients.
            _pacer = new Lazy<MulticastPacer>(
                () => new MulticastPacer(_schedule, slots: Volatile.Read(ref _group) is null ? plan.Clients : 1, recorder, plan.StopDeadline));
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        peer.State = new MulticastStream(peer, _layout, _schedule);
        if (peer.IsGroup)
        {
            Volatile.Write(ref _group, peer);
        }
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        worker.Current.Counters.ServerReceived++;
        MulticastRequest request = MulticastRequest.Read(message);
        MulticastStream stream = StreamOf(peer);
        if (request.Kind == MulticastRequestKind.None)
        {
            return;
        }

        bool isNew = stream.Round is not { } latest || MulticastRequest.IsAfter(request.Round, latest);
        bool isCurrent = isNew || stream.Round == request.Round;
        stream.Round = isNew ? request.Round : stream.Round;
        if (request.Kind == MulticastRequestKind.Start && isNew && !stream.IsRunning)
        {
            Start(peer, stream, request.Client);
        }
        else if (request.Kind == MulticastRequestKind.Stop && isCurrent)
        {
            OnStopRequest(peer, stream, request.Client, worker);
        }
    }

    public void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        MulticastStream stream = StreamOf(peer);
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
    private static MulticastStream StreamOf(IPeer peer) => Unsafe.As<MulticastStream>(peer.State!);

    private void Start(IPeer peer, MulticastStream stream, uint client)
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

    private void Begin(IPeer peer, MulticastStream stream, uint receiver)
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

    private void Stop(IPeer peer, MulticastStream stream)
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
    private void OnStopRequest(IPeer peer, MulticastStream stream, uint client, WorkerStatistics worker)
    {
        worker.ReadClock();
        stream.StopRequestedAt ??= worker.Now;
        MulticastStream source = Volatile.Read(ref _group) is { } group ? StreamOf(group) : stream;
        if (source == stream)
        {
            stream.SendMore(worker);
        }

        if (source.NextDue > stream.StopRequestedAt)
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
    private void FollowListeners(IPeer group, MulticastStream stream)
    {
        bool hasListeners = Volatile.Read(ref _listeners) > 0;
        if (hasListeners && !stream.IsRunning)
        {
            Begin(group, stream, MulticastTag.Group);
        }
        else if (!hasListeners && stream.IsRunning)
        {
            stream.Stop();
            RemoveFromSchedule(group);
        }
    }

    private void SendEnd(IPeer peer, MulticastStream stream, uint client)
    {
        if (_layout.IsTagged)
        {
            uint last = Volatile.Read(ref _group) is { } group ? StreamOf(group).LastSequence : stream.LastSequence;
            byte[] end = _layout.CreateMessage();
            new MulticastTag(client, last, time: 0).WriteTo(end);
            _ = peer.Send(end);
        }
    }
}
