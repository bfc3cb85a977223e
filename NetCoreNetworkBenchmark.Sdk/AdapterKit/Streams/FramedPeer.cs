using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// One connection whose stream is divided into messages: the part that the threads of a library (<see cref="StreamPeer"/>) and the thread of an event loop
/// share. A derived class makes the calls serial, moves the bytes, and sends the messages that wait.
/// </summary>
/// <remarks>
/// The connection connects and makes its handshake, if it has one; then it is open, from <see cref="OnOpened"/> to <see cref="OnClosed"/>, and closed after it.
/// <see cref="Close"/> sends the messages that wait first, and <see cref="Abort()"/> does not. If the stream of the other side ends, the derived class counts
/// why (<see cref="CountEndOfStream"/>), and closes or aborts. Each way ends in <see cref="OnClosed"/>, once.
/// </remarks>
public abstract class FramedPeer : IPeer
{
    private readonly IPeerHandler _handler;
    private bool _awaitsFirstMessage;

    /// <summary>Creates a connection that is not yet open. The observer is null at a server, which waits for its clients to reconnect.</summary>
    protected FramedPeer(StreamSide side, IConnectObserver? observer)
    {
        (Side, Observer, _handler, _awaitsFirstMessage) = (side, observer, side.Handler, observer is { AwaitsAnswer: true });
        Framer = new StreamFramer(side.Plan);
    }

    /// <inheritdoc/>
    public object? State { get; set; }

    /// <inheritdoc/>
    public abstract bool IsCongested { get; }

    /// <summary>The side of the run that the peer belongs to.</summary>
    protected StreamSide Side { get; }

    /// <summary>The observer of a client; null at a server.</summary>
    protected IConnectObserver? Observer { get; }

    /// <summary>Whether messages can be exchanged. Exact within the serial calls; a hint otherwise, as is <see cref="IsClosed"/>.</summary>
    protected bool IsOpen { get; private set; }

    /// <summary>Whether the connection is closed.</summary>
    protected bool IsClosed { get; private set; }

    /// <summary>Divides the received bytes into messages.</summary>
    protected StreamFramer Framer { get; }

    /// <summary>The heartbeats of an open connection; null if the plan has none.</summary>
    protected Liveness? Liveness { get; private set; }

    /// <inheritdoc/>
    public abstract bool Send(ReadOnlySpan<byte> message);

    /// <inheritdoc/>
    public abstract void Wake();

    /// <inheritdoc/>
    public abstract void Close();

    /// <summary>Closes the connection without sending the messages that wait. A second call has no effect.</summary>
    protected abstract void Abort();

    /// <summary>Notifies the workload that messages can be exchanged.</summary>
    protected void OnOpened(WorkerStatistics worker, long now)
    {
        IsOpen = true;
        Liveness = Liveness.For(Side.Plan, now);
        _handler.OnConnected(this, worker);
    }

    /// <summary>Marks the connection as closed. If it was open, the workload and the observer are notified; otherwise, the statistics may be null.</summary>
    protected void OnClosed(WorkerStatistics? worker)
    {
        bool wasOpen = IsOpen;
        (IsOpen, IsClosed) = (false, true);
        if (wasOpen)
        {
            _handler.OnClosed(this, worker!);
            Observer?.Lost();
        }
    }

    /// <summary>Passes the complete messages of received bytes to the workload, until it closes the connection.</summary>
    protected void Deliver(ReadOnlySpan<byte> received, WorkerStatistics worker)
    {
        bool hasMore = true;
        while (hasMore && IsOpen && Framer.TryTake(ref received, out ReadOnlySpan<byte> message))
        {
            _handler.OnMessage(this, message, worker);
            if (_awaitsFirstMessage)
            {
                _awaitsFirstMessage = false;
                Observer?.Answered();
            }

            hasMore = !received.IsEmpty;
        }

        if (Liveness is not null)
        {
            worker.Current.Counters.HeartbeatsReceived += Framer.TakeHeartbeats();
        }
    }

    /// <summary>Ends an open connection whose other side is gone, or adds a heartbeat if one is due, which the caller sends.</summary>
    protected bool TryAddHeartbeat(Outbox waiting, bool hasUnsent, WorkerStatistics worker, long now)
    {
        if (!IsOpen || Liveness is null)
        {
            return false;
        }

        if (Liveness.IsLost(now, hasUnsent))
        {
            Abort(Liveness.Fault);
            return false;
        }

        if (hasUnsent || !Liveness.IsDue(now))
        {
            return false;
        }

        waiting.AddHeartbeat();
        worker.Current.Counters.HeartbeatsSent++;
        return true;
    }

    /// <summary>Counts why the stream of the other side ended: its failure, or null for an end, which is a fault within a message alone.</summary>
    protected void CountEndOfStream(string? failure)
    {
        if ((failure ?? (Framer.HasPart ? "received part of a message" : null)) is { } reason)
        {
            Side.CountDisconnect(reason);
        }
    }

    /// <summary>Counts the reason for which a connection is broken, and aborts it.</summary>
    protected void Abort(string reason)
    {
        Side.CountDisconnect(reason);
        Abort();
    }
}
