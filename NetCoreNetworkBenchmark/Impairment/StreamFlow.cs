namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>One direction of one connection: what one end sent, on its way or waiting for the other end to take it, in its order.</summary>
internal sealed class StreamFlow(StreamDirection direction, StreamEnd source, StreamEnd target)
{
    // Their time has come, and the target does not take them yet.
    private readonly Queue<Chunk> _waiting = new();
    private long _kept;
    private bool _isFull;
    private bool _isHeldBack;
    private bool _isBroken;

    /// <summary>When the last chunk leaves or left.</summary>
    public long LastLeave { get; set; }

    /// <summary>Whether its source is not to be read, because too much of it is kept.</summary>
    public bool IsPaused => _isFull || _isHeldBack;

    /// <summary>Whether its source has sent its last byte.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Whether its target has been told of the end.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Whether something waits for room at the target.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>Pauses where too much is kept.</summary>
    /// <returns>Whether it was not paused before and is now.</returns>
    public bool TryPause()
    {
        if (IsPaused)
        {
            return false;
        }

        _isFull = _kept >= direction.Bounds.Flow;
        _isHeldBack = !_isFull && direction.IsFull;
        if (_isHeldBack)
        {
            direction.HoldBack(this);
        }

        return IsPaused;
    }

    /// <summary>There is room again in the direction.</summary>
    public void LetGo()
    {
        _isHeldBack = false;
        source.Watch();
    }

    public void Arrive(ReadOnlySpan<byte> bytes, long now)
    {
        _kept += bytes.Length;
        direction.Arrive(this, bytes, now);
    }

    /// <summary>The source has sent its last byte.</summary>
    public void End(long now)
    {
        HasEnded = true;
        direction.Finish(this, now);
    }

    /// <summary>The time of a chunk has come.</summary>
    public void Leave(Chunk chunk)
    {
        direction.Leave(chunk);
        if (_isBroken)
        {
            direction.Release(chunk, isTaken: false);
            return;
        }

        _waiting.Enqueue(chunk);

        // Where others wait before it, the target has no room and is watched.
        if (_waiting.Count == 1)
        {
            Flush();
        }
    }

    /// <summary>Hands the target what waits, as far as it takes it.</summary>
    public void Flush()
    {
        while (_waiting.TryPeek(out Chunk? chunk) && TryPass(chunk))
        {
            _waiting.Dequeue();
            _kept -= chunk.Bytes.Length;
            direction.Release(chunk, isTaken: true);
        }

        if (_isFull && _kept <= direction.Bounds.Flow / 2)
        {
            _isFull = false;
            source.Watch();
        }

        target.Watch();
    }

    /// <summary>The connection is broken: its source closes, and what is on its way goes nowhere.</summary>
    public void Break()
    {
        _isBroken = true;
        source.Abort();
        while (_waiting.TryDequeue(out Chunk? chunk))
        {
            direction.Release(chunk, isTaken: false);
        }
    }

    // A send that finds the connection broken empties the queue, and takes nothing.
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
