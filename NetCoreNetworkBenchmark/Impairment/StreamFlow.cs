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

    public override void Leave(Chunk chunk)
    {
        if (_isBroken)
        {
            Direction.Release(chunk, isTaken: false);
            return;
        }

        _waiting.Enqueue(chunk);

        // If other chunks wait before it, the target accepts nothing more and is watched.
        if (_waiting.Count == 1)
        {
            Flush();
        }
    }

    public void Flush()
    {
        while (_waiting.TryPeek(out Chunk? chunk) && TryPass(chunk))
        {
            _waiting.Dequeue();
            Direction.Release(chunk, isTaken: true);
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
        while (_waiting.TryDequeue(out Chunk? chunk))
        {
            Direction.Release(chunk, isTaken: false);
        }
    }

    // A send that finds the connection broken empties the queue and sends nothing.
    private bool TryPass(Chunk chunk)
    {
        if (chunk.IsEnd)
        {
            IsDone = target.TryEnd();
            return IsDone;
        }

        int length = chunk.Rest.Length;
        int sent = target.Send(chunk.Rest);
        chunk.Sent(sent);
        return sent == length;
    }
}
