using System.Buffers;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// The library's endpoints derive from its own classes, so they forward their callbacks to this one. The library calls back from the thread pool for received
// and for sent bytes at the same time. It accepts the bytes of a write at once, and receives whether or not its answers are read.
internal abstract class NetCorePeer(StreamSide side, INetCoreEndpoint endpoint, IConnectObserver? observer = null) : StreamPeer(side, observer)
{
    /// <summary>Bytes that the library may hold for a peer before it is congested: as many as an outbox holds. The library has no bound of its own.</summary>
    public const int MaxUnsent = 64 * 1024;

    private volatile bool _isReported;

    // At least the bytes that were passed to the library since it was empty, so that its own count is read only if it may hold many.
    private long _unsent;
    private SocketException? _refusal;

    protected INetCoreEndpoint Endpoint { get; } = endpoint;

    protected bool IsReported => _isReported;

    public virtual void OnConnected() => Side.Recorder.Guard(this, static peer =>
    {
        peer.Open();

        // After the call: other threads do not pass bytes to the workload before it.
        peer._isReported = true;
    });

    /// <summary>The library may receive before it reports the connection.</summary>
    public virtual void OnReceived(byte[] buffer, long offset, long size)
    {
        try
        {
            if (!_isReported)
            {
                OnConnected();
            }

            Receive(new ReadOnlySequence<byte>(buffer, (int)offset, (int)size));
        }
        catch (Exception exception)
        {
            Side.Recorder.ReportFault(exception);
        }
    }

    /// <summary>The system has accepted all bytes that the library held. The library may hold its lock of the connection.</summary>
    public virtual void OnEmpty()
    {
        Volatile.Write(ref _unsent, 0);
        if (IsLibraryFull)
        {
            OnLibraryDrained();
        }
    }

    public virtual void OnDisconnected()
    {
        if (IsClosed)
        {
            return;
        }

        // The library may hold its lock of the connection here, and a call of the workload on another thread may wait for that lock. A send that fails ends the
        // connection within the workload's call, which must complete first.
        if (Calls.IsHeldByCurrentThread || !Calls.TryEnter())
        {
            ThreadPool.UnsafeQueueUserWorkItem(static peer => peer.OnEnd(), this, preferLocal: false);
            return;
        }

        try
        {
            OnEnd();
        }
        finally
        {
            Calls.Exit();
        }
    }

    public virtual void OnError(SocketError error)
    {
        bool isRefusal = error == SocketError.NoBufferSpaceAvailable;
        if (isRefusal && Calls.IsHeldByCurrentThread)
        {
            _refusal = new SocketException((int)error);
            return;
        }

        Side.CountDisconnect($"{error}");
        if (isRefusal)
        {
            // The library has sent to all, without the refusal of one. It holds its lock of the connection in this call, so the connection ends later.
            ThreadPool.UnsafeQueueUserWorkItem(static endpoint => endpoint.Disconnect(), Endpoint, preferLocal: false);
        }
    }

    // Before it ends a connection over TLS, the library waits until the last TLS message is accepted, behind the bytes that it is sending, and a peer that
    // does not read would block the thread forever. If the socket is shut down, this fails at once.
    public void StopSending(Socket? socket)
    {
        try
        {
            if (IsReported && Endpoint.Unsent > 0)
            {
                socket?.Shutdown(SocketShutdown.Both);
            }
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            // The other side is gone, so nothing waits for it.
            return;
        }
    }

    protected override ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        _unsent += bytes.Length;

        // Without a refusal, the connection is ending, and the library reports its end.
        if (!Endpoint.SendAsync(bytes.Span) && _refusal is not null)
        {
            throw _refusal;
        }

        if (_unsent >= MaxUnsent && !IsLibraryFull)
        {
            MarkFull();
        }

        return ValueTask.CompletedTask;
    }

    protected override void CloseTransport(bool canSend) => Endpoint.Disconnect();

    private void MarkFull()
    {
        IsLibraryFull = true;

        // Before the check: if the library has sent everything after it, it reports this to a peer that is backed up.
        Interlocked.MemoryBarrier();
        long unsent = Endpoint.Unsent;
        if (unsent < MaxUnsent)
        {
            Volatile.Write(ref _unsent, unsent);
            IsLibraryFull = false;
        }
    }

    private void OnEnd() => Side.Recorder.Guard(this, static peer => peer.OnEndOfStream(exception: null));
}

/// <summary>The common members of the library's four kinds of stream endpoint: sessions and clients, over TCP and over SSL.</summary>
internal interface INetCoreEndpoint
{
    /// <summary>The number of bytes that the system has not accepted yet.</summary>
    long Unsent { get; }

    // The library copies the bytes. Returns false if it does not accept them.
    bool SendAsync(ReadOnlySpan<byte> buffer);

    /// <summary>A callback reports the end of the connection.</summary>
    bool Disconnect();
}
