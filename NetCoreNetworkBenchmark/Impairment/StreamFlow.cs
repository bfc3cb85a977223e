namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class StreamFlow(Direction direction, StreamEnd source, StreamEnd target) : Flow(direction)
{
    // Chunks whose time has come, but which the target does not accept yet.
    private readonly Queue<Chunk> _waiting = new();
    private readonly long _most = direction.Bounds!.Flow;
    private bool _isFull;
    private bool _isHeldBack;
    private bool _isBroken;

    public bool IsPaused => _isFull || _isHeldBack;

    public bool HasEnded { get; private set; }

    public bool IsDone { get; private set; }

    public bool IsWaiting => _waiting.Count > 0;

    // True if the flow was not paused before and is paused now.
    public bool TryPause()
    {
        if (IsPaused)
        {
            return false;
        }

        _isFull = Kept >= _most;
        _isHeldBack = !_isFull && Direction.IsFull;
        if (_isHeldBack)
        {
            Direction.HoldBack(this);
        }

        return IsPaused;
    }

    public void LetGo()
    {
        _isHeldBack = false;
        source.Watch();
    }

    public void End(long now)
    {
        HasEnded = true;
        Direction.Finish(this, now);
    }

    public override void Leave(Chunk piece)
    {
        if (_isBroken)
        {
            Direction.Release(piece, isTaken: false);
            return;
        }

        _waiting.Enqueue(piece);

        // If other chunks wait before it, the target has no room and is watched.
        if (_waiting.Count == 1)
        {
            Flush();
        }
    }

    public void Flush()
    {
        while (_waiting.TryPeek(out Chunk? piece) && TryPass(piece))
        {
            _waiting.Dequeue();
            Direction.Release(piece, isTaken: true);
        }

        if (_isFull && Kept <= _most / 2)
        {
            _isFull = false;
            source.Watch();
        }

        target.Watch();
    }

    public void Break()
    {
        _isBroken = true;
        source.Abort();
        while (_waiting.TryDequeue(out Chunk? piece))
        {
            Direction.Release(piece, isTaken: false);
        }
    }

    // A send that finds the connection broken empties the queue and sends nothing.
    private bool TryPass(Chunk piece)
    {
        if (piece.IsEnd)
        {
            IsDone = target.TryEnd();
            return IsDone;
        }

        int length = piece.Rest.Length;
        int sent = target.Send(piece.Rest);
        piece.Sent(sent);
        return sent == length;
    }
}
