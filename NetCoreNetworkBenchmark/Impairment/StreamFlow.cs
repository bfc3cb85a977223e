namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>One direction of one connection: the bytes from one end, in flight or waiting until the other end accepts them, in order.</summary>
internal sealed class StreamFlow(Direction direction, StreamEnd source, StreamEnd target) : Flow(direction)
{
    // Chunks whose time has come, but which the target does not accept yet.
    private readonly Queue<Chunk> _waiting = new();
    private readonly long _most = direction.Bounds!.Flow;
    private bool _isFull;
    private bool _isHeldBack;
    private bool _isBroken;

    /// <summary>Whether the source must not be read, because too many bytes are kept.</summary>
    public bool IsPaused => _isFull || _isHeldBack;

    /// <summary>Whether the source has sent its last byte.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Whether the target has been notified of the end.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Whether chunks wait for room at the target.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>Pauses the flow if too many bytes are kept.</summary>
    /// <returns>True if the flow was not paused before and is paused now; otherwise, false.</returns>
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

    /// <summary>Continues the flow when there is room again in the direction.</summary>
    public void LetGo()
    {
        _isHeldBack = false;
        source.Watch();
    }

    /// <summary>Handles the end of the source, which has sent its last byte.</summary>
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

    /// <summary>Passes the waiting chunks to the target, as far as it accepts them.</summary>
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

    /// <summary>Handles a broken connection: the source is closed, and chunks in flight are dropped.</summary>
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
