namespace NetCoreNetworkBenchmark.Core;

/// <summary>A peer at a server of datagrams that can send unasked. It is congested when it has sent what it may in one turn.</summary>
/// <param name="turns">The turns of its server.</param>
public abstract class DatagramPeer(SendTurns turns) : IPeer
{
    private int _sent;
    private bool _hasSign = true;
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
            if (_sent < SendTurns.Budget)
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

    /// <inheritdoc/>
    public abstract void Close();

    internal void TakeTurn(IServerHandler handler, WorkerStatistics worker)
    {
        // Before the call: a wake from now on is for another one.
        Interlocked.Exchange(ref _inLine, 0);
        _sent = 0;
        if (!_closed)
        {
            handler.OnWritable(this, worker);
        }
    }

    /// <summary>Whether a message was sent to the peer since the last call, as an answer or unasked. On the thread that makes the calls for the peer.</summary>
    internal bool TakeSign()
    {
        bool had = _hasSign;
        _hasSign = false;
        return had;
    }

    /// <summary>Counts a message towards the turn, whether or not the system takes it.</summary>
    protected void CountSend()
    {
        _sent++;
        _hasSign = true;
    }

    /// <summary>The connection is gone: no further turn.</summary>
    protected internal void EndTurns() => _closed = true;
}
