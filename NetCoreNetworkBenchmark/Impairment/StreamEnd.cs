namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class StreamEnd(Socket socket, EndPoint? connectingTo, PollLoop loop, byte[] buffer, HashSet<StreamEnd> open) : IPollable
{
    private Interest _interest = Interest.Read;
    private bool _isConnecting = connectingTo is not null;
    private bool _isClosed;

    public nint SocketHandle { get; } = socket.Handle;
    public StreamFlow From { get; set; } = null!;
    public StreamFlow To { get; set; } = null!;
    private bool HasFailed => (int)socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)! != 0;

    public void Watch()
    {
        if (_isClosed)
        {
            return;
        }

        if (From.HasEnded && To.IsDone)
        {
            loop.Remove(this);
            Dispose();
            return;
        }

        Interest read = _isConnecting || From.HasEnded || From.IsPaused ? Interest.None : Interest.Read;
        Interest write = _isConnecting || To.IsWaiting ? Interest.Write : Interest.None;
        if (_interest != (read | write))
        {
            _interest = read | write;
            loop.Watch(this, _interest);
        }
    }

    public void OnWritable()
    {
        if (_isConnecting)
        {
            if (!socket.Poll(0, SelectMode.SelectWrite))
            {
                return;
            }

            _isConnecting = false;
            if (!socket.Connected || SelfConnection.Is(socket, connectingTo!))
            {
                Break();
                return;
            }
        }

        To.Flush();
    }

    public void OnReadable()
    {
        if (_isConnecting)
        {
            return;
        }

        if (From.HasEnded)
        {
            // The socket is not watched for reads, so the connection may be broken.
            if (HasFailed)
            {
                Break();
            }

            return;
        }

        // A flow that is already paused is read nevertheless: the call means that the peer is gone, which only the last read shows.
        if (From.TryPause())
        {
            Watch();
            return;
        }

        Receive();
    }

    // Returns the bytes that the system accepted; also 0 if the connection has just broken.
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (_isConnecting)
        {
            return 0;
        }

        int sent = socket.Send(bytes, SocketFlags.None, out SocketError error);
        if (error is SocketError.Success or SocketError.WouldBlock)
        {
            return sent;
        }

        Break();
        return 0;
    }

    // False if the peer cannot be notified yet, or no longer.
    public bool TryEnd()
    {
        if (_isConnecting)
        {
            return false;
        }

        try
        {
            socket.Shutdown(SocketShutdown.Send);
            return true;
        }
        catch (SocketException)
        {
            // The peer is gone, and so is the connection.
            Break();
            return false;
        }
    }

    // True if this end was open.
    public bool TryBreak()
    {
        if (_isClosed)
        {
            return false;
        }

        Break();
        return true;
    }

    /// <summary>Closes the socket so that the peer sees a broken connection (RST).</summary>
    public void Abort()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            open.Remove(this);
            loop.Remove(this);
            socket.Close(0);
        }
    }

    public void Dispose()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            open.Remove(this);
            socket.Dispose();
        }
    }

    private void Receive()
    {
        int length = socket.Receive(buffer, SocketFlags.None, out SocketError error);
        if (error == SocketError.WouldBlock)
        {
            return;
        }

        if (error != SocketError.Success)
        {
            Break();
        }
        else if (length > 0)
        {
            From.Arrive(buffer.AsSpan(0, length), Stopwatch.GetTimestamp());
        }
        else
        {
            From.End(Stopwatch.GetTimestamp());
            Watch();
        }
    }

    private void Break()
    {
        From.Break();
        To.Break();
    }
}

internal sealed class StreamFlow(Direction direction, StreamEnd source, StreamEnd target) : Flow(direction)
{
    // Chunks whose time has come, but which the target does not accept yet.
    private readonly Queue<Chunk> _waiting = new();
    private readonly long _maxQueued = direction.Bounds!.Flow;
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

        _isFull = QueuedBytes >= _maxQueued;
        _isHeldBack = !_isFull && Direction.IsFull;
        if (_isHeldBack)
        {
            Direction.Pause(this);
        }

        return IsPaused;
    }

    public void Resume()
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

        if (_isFull && QueuedBytes <= _maxQueued / 2)
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
