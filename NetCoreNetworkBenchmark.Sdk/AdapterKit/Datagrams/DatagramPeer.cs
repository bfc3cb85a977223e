namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>A peer of a datagram server with server push. The peer is congested when it has used its budget of messages for one turn.</summary>
public abstract class DatagramPeer(SendRoundRobin turns) : IPeer
{
    private int _sent;
    private bool _wasActive = true;
    private int _inLine;
    private volatile bool _closed;

    /// <inheritdoc/>
    public object? State { get; set; }

    /// <inheritdoc/>
    public virtual bool IsGroup => false;

    /// <inheritdoc/>
    public bool IsCongested
    {
        get
        {
            if (_sent < SendRoundRobin.Budget)
            {
                return false;
            }

            Wake();
            return true;
        }
    }

    /// <inheritdoc/>
    public void Wake()
    {
        if (!_closed && Interlocked.Exchange(ref _inLine, 1) == 0)
        {
            turns.Add(this);
        }
    }

    /// <inheritdoc/>
    public abstract bool Send(ReadOnlySpan<byte> message);

    internal Action? Forgotten { get; set; }

    /// <inheritdoc/>
    public virtual void Close()
    {
        Send(DatagramHandshake.Bye);
        Forget();
    }

    internal void Forget()
    {
        if (Forgotten is { } forgotten)
        {
            Forgotten = null;
            EndTurns();
            forgotten();
        }
    }

    internal void TakeTurn(IServerHandler handler, WorkerStatistics worker)
    {
        // Before the call: a later wake requests another turn.
        Interlocked.Exchange(ref _inLine, 0);
        _sent = 0;
        if (!_closed)
        {
            handler.OnWritable(this, worker);
        }
    }

    // Whether a message was sent to the peer since the last call, as an answer or by push.
    internal bool TakeActivity()
    {
        bool had = _wasActive;
        _wasActive = false;
        return had;
    }

    /// <summary>Counts a message towards the turn, whether or not the system accepts it.</summary>
    protected void CountSend()
    {
        _sent++;
        _wasActive = true;
    }

    /// <summary>Ends the turns of the peer, because the connection is gone.</summary>
    protected internal void EndTurns() => _closed = true;
}
