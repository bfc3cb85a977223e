namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// A peer of a server with server push that takes turns with the others. It is congested when it has used its budget of messages for one turn.
/// </summary>
public abstract class PushPeer(SendRoundRobin turns) : IPeer
{
    private int _sent;
    private int _inLine;
    private volatile bool _closed;

    /// <inheritdoc/>
    public object? State { get; set; }

    /// <inheritdoc/>
    public virtual bool IsGroup => false;

    /// <inheritdoc/>
    public virtual int Receivers => 1;

    /// <inheritdoc/>
    public bool IsCongested
    {
        get
        {
            if (_sent < SendRoundRobin.Budget && !IsFull)
            {
                return false;
            }

            // The workload stops now, and continues at the peer's next turn.
            Wake();
            return true;
        }
    }

    /// <summary>Whether the library queues as many messages of the peer as is good, although the turn has not used its budget.</summary>
    protected virtual bool IsFull => false;

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

    /// <inheritdoc cref="IPeer.SendReliable(ReadOnlySpan{byte})"/>
    public virtual bool SendReliable(ReadOnlySpan<byte> message) => Send(message);

    /// <inheritdoc cref="IPeer.SendReliable(ReadOnlySpan{byte}, int)"/>
    public virtual bool SendReliable(ReadOnlySpan<byte> message, int channel) =>
        channel == 0 ? SendReliable(message) : throw new NotSupportedException("This adapter has one channel.");

    /// <inheritdoc/>
    public abstract void Close();

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

    /// <summary>Counts a message towards the turn, whether or not the library accepts it.</summary>
    protected void CountInTurn() => _sent++;

    /// <summary>Ends the turns of the peer, because the connection is gone.</summary>
    public void EndTurns() => _closed = true;
}

/// <summary>
/// The order of the server push of peers whose library gives no signal that a server sends too fast. Each peer may send a few messages, then the
/// server looks for incoming ones, then the next peers have their turn. A peer that enters an empty queue, from any thread, requests a call of
/// <see cref="Run"/> outside a call of the handler.
/// </summary>
public sealed class SendRoundRobin(IServerHandler handler, Action schedule)
{
    /// <summary>The messages of one turn: many in comparison to one look at the socket, and few enough that new clients do not wait.</summary>
    public const int Budget = 64;

    internal const int MaxPeersPerRun = 16;

    private readonly ConcurrentQueue<PushPeer> _line = new();
    private int _scheduled;

    /// <summary>The number of peers that wait for their turn. From any thread.</summary>
    public int Waiting => _line.Count;

    /// <summary>Whether <see cref="Run"/> must be called. From any thread.</summary>
    public bool AreDue => Volatile.Read(ref _scheduled) != 0;

    /// <summary>
    /// Gives some of the queued peers their turn, on the thread that makes their calls. Returns true if it must be called again, after a look at the socket;
    /// otherwise, the next call will be requested.
    /// </summary>
    public bool Run(WorkerStatistics worker)
    {
        for (int count = Math.Min(_line.Count, MaxPeersPerRun); count > 0 && _line.TryDequeue(out PushPeer? peer); count--)
        {
            peer.TakeTurn(handler, worker);
        }

        if (_line.IsEmpty)
        {
            Volatile.Write(ref _scheduled, 0);

            // A peer that entered the queue before the write relied on this call.
            Interlocked.MemoryBarrier();
            return !_line.IsEmpty && Interlocked.Exchange(ref _scheduled, 1) == 0;
        }

        return true;
    }

    internal void Add(PushPeer peer)
    {
        _line.Enqueue(peer);
        if (Interlocked.Exchange(ref _scheduled, 1) == 0)
        {
            schedule();
        }
    }
}
