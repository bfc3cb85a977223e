using System.Buffers;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// One connection of a library whose calls come from the thread pool. One lock for each received chunk makes the calls of the workload serial. The messages
/// that the handlers send are written by one write for each message, or by one write at the end of the call (<see cref="StreamSendSetting"/>). Only one write
/// is in progress at a time. The adapter derives from this class and implements the transfer of the bytes. A library may also call from several threads at the
/// same time, and hold the bytes of a write after it (<see cref="IsLibraryFull"/>).
/// </summary>
public abstract class StreamPeer : FramedPeer, IThreadPoolWorkItem
{
    // A peer that accepts all data at once would never release its thread: after this number of writes in a row the other peers have their turn. If each write
    // has one message, the number is that of a datagram server's turn.
    private const int MaxWritesPerTurn = 16;

    private readonly Action _written;
    private readonly int _maxWritesPerTurn;
    private Outbox _waiting;
    private Outbox _underWay;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _write;
    private int _bytesUnderWay;
    private int _writesInTurn;
    private Exception? _failure;
    private TaskCompletionSource? _capacityFreed;
    private bool _isWriting;
    private volatile bool _wasCongested;
    private volatile bool _isLibraryFull;
    private int _isWoken;

    /// <summary>Creates a connection that is not yet connected.</summary>
    /// <param name="side">The side to which the connection belongs, with the handler that is called.</param>
    /// <param name="observer">Receives the first answer and the end of the connection; null at a server, which waits for its clients to come back.</param>
    protected StreamPeer(StreamSide side, IConnectObserver? observer = null)
        : base(side, observer)
    {
        _maxWritesPerTurn = side.SendsEachMessage ? SendRoundRobin.Budget : MaxWritesPerTurn;
        (_waiting, _underWay) = (new Outbox(side.Plan, side.SendsEachMessage), new Outbox(side.Plan, side.SendsEachMessage));
        _written = OnWritten;
    }

    /// <inheritdoc/>
    public sealed override bool IsCongested
    {
        get
        {
            bool isFull = _waiting.IsFull || _isLibraryFull || _writesInTurn >= _maxWritesPerTurn;

            // The workload stops now, and is called again.
            _wasCongested |= isFull;
            return isFull;
        }
    }

    /// <summary>
    /// Whether the library holds enough bytes of this connection, so that the peer is congested until <see cref="OnLibraryDrained"/>. Set within
    /// <see cref="WriteAsync"/>, by the adapter of a library whose writes complete before the system has accepted the bytes.
    /// </summary>
    protected bool IsLibraryFull
    {
        get => _isLibraryFull;
        set => _isLibraryFull = value;
    }

    /// <summary>The lock that is held around every call of the workload for this peer.</summary>
    protected Lock Calls { get; } = new();

    /// <inheritdoc/>
    public sealed override bool Send(ReadOnlySpan<byte> message)
    {
        if (!IsClosed && _waiting.TryAdd(message))
        {
            if (Side.SendsEachMessage)
            {
                WriteWaiting();
            }

            return true;
        }

        Side.CountError(IsClosed ? "sent after the close" : "sent a message that the framing cannot carry");
        return false;
    }

    /// <inheritdoc/>
    public sealed override void Wake()
    {
        if (Interlocked.Exchange(ref _isWoken, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <inheritdoc/>
    public sealed override void Close()
    {
        lock (Calls)
        {
            Close(sendsWaiting: true);
        }
    }

    /// <summary>Starts the load of an open client.</summary>
    public void Start() => Call(static (peer, load, worker) => load.OnStart(peer, worker), Side.Load);

    /// <summary>Sends what the schedule of an open client requires.</summary>
    /// <param name="due">The scheduled time, by the run's clock.</param>
    public void Due(long due) => Call(static (peer, call, worker) => call.Load.OnDue(peer, call.Due, worker), (Side.Load, Due: due));

    /// <summary>Lets the load of an open client find what is overdue.</summary>
    public void Tick() => Call(static (peer, load, worker) => load.OnTick(peer, worker), Side.Load);

    /// <summary>Sends a heartbeat if one is due, or ends a connection whose other side is gone. From any thread.</summary>
    public void KeepAlive() => Call(
        static (_, peer, worker) =>
            peer.TryAddHeartbeat(peer._waiting, hasUnsent: peer._isWriting || peer._isLibraryFull || peer._waiting.Length > 0, worker, peer.Side.Now),
        this);

    /// <summary>Runs on a thread of the pool after <see cref="Wake"/>.</summary>
    void IThreadPoolWorkItem.Execute() => Side.Recorder.Guard(
        this,
        static woken => woken.Call(
            static (_, peer, worker) =>
            {
                Volatile.Write(ref peer._isWoken, 0);
                peer.Resume(worker);
            },
            woken));

    /// <summary>Starts to send bytes. It is not called again before the operation has completed.</summary>
    /// <param name="bytes">The bytes, which are not changed until the operation has completed.</param>
    /// <returns>A task that completes when the bytes were sent, or cannot be sent.</returns>
    protected abstract ValueTask WriteAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Closes the connection under the peer, once, with <see cref="Calls"/> held. A reader then finds its end. Does not wait.</summary>
    /// <param name="canSend">Whether closing data can be sent: the connection is not broken, and no write that may never complete is in progress.</param>
    protected abstract void CloseTransport(bool canSend);

    /// <summary>Notifies the workload of the new connection; a second call does nothing.</summary>
    protected void Open()
    {
        lock (Calls)
        {
            if (!IsClosed && !IsOpen)
            {
                WorkerStatistics worker = Side.CurrentWorker();
                Side.Timer?.Add(this);
                OnOpened(worker, Side.Now);
                Flush(worker);
            }
        }
    }

    /// <summary>Calls the workload if the connection is open, and sends the messages of the workload.</summary>
    protected void Call<T>(Action<IPeer, T, WorkerStatistics> call, T argument)
    {
        lock (Calls)
        {
            if (IsOpen)
            {
                WorkerStatistics worker = Side.CurrentWorker();
                call(this, argument, worker);
                Flush(worker);
            }
        }
    }

    /// <summary>Lets the workload continue after <see cref="IsLibraryFull"/>. From any thread; does not wait.</summary>
    protected void OnLibraryDrained()
    {
        _isLibraryFull = false;

        // Before the check: a workload that stopped before it is woken, and one that stops after it finds the new value at the end of its call.
        Interlocked.MemoryBarrier();
        if (_wasCongested)
        {
            Wake();
        }
    }

    /// <summary>Passes received data to the workload, and sends the answers of the workload.</summary>
    /// <returns>True if more data may be read at once; otherwise, data may be read after <see cref="WaitForCapacityAsync"/> has completed.</returns>
    protected bool Receive(in ReadOnlySequence<byte> received)
    {
        lock (Calls)
        {
            if (!IsOpen)
            {
                return true;
            }

            WorkerStatistics worker = Side.CurrentWorker();
            foreach (ReadOnlyMemory<byte> part in received)
            {
                Deliver(part.Span, worker);
            }

            if (!IsClosed && Framer.Violation is { } violation)
            {
                Side.CountError(violation);
                Close(sendsWaiting: true);
            }

            Liveness?.Received(Side.Now);
            Flush(worker);
            return !(Side.AppliesBackPressure && _waiting.IsFull);
        }
    }

    /// <summary>Waits until the other side has accepted enough of the data that was sent to it.</summary>
    /// <returns>A task that completes then, or when the connection is closed.</returns>
    protected Task WaitForCapacityAsync()
    {
        lock (Calls)
        {
            return IsClosed || !_waiting.IsFull
                ? Task.CompletedTask
                : (_capacityFreed ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Ends a connection that can no longer be read.</summary>
    /// <param name="exception">The reason; null if the other side closed the connection.</param>
    protected void OnEndOfStream(Exception? exception)
    {
        lock (Calls)
        {
            if (!IsClosed)
            {
                CountEndOfStream(exception is null ? null : StreamFailure.NameOf(exception));
                Close(sendsWaiting: exception is null);
            }
        }
    }

    /// <inheritdoc/>
    protected sealed override void Abort() => Close(sendsWaiting: false);

    // Sends the waiting messages. Called at the end of every call of the workload, with the lock held.
    private void Flush(WorkerStatistics worker)
    {
        WriteWaiting();
        while (_failure is null && !IsClosed && MayResume())
        {
            Resume(worker);
            WriteWaiting();
        }

        if (_failure is { } failure)
        {
            OnEndOfStream(failure);
        }

        _writesInTurn = 0;
    }

    private void Resume(WorkerStatistics worker)
    {
        _wasCongested = false;
        Side.Handler.OnWritable(this, worker);
    }

    // Returns whether the workload, which was stopped before, is to continue at once.
    private bool MayResume()
    {
        // The full buffer is being written, or is already sent: there is capacity as long as the other buffer is not full.
        if (!_wasCongested || _waiting.IsFull)
        {
            return false;
        }

        // After _wasCongested was set: a drain that comes after the check then wakes the workload.
        Interlocked.MemoryBarrier();
        bool isLibraryFull = _isLibraryFull;
        bool hasTurn = _writesInTurn < _maxWritesPerTurn;
        if (!isLibraryFull && !hasTurn)
        {
            Wake();
        }

        return !isLibraryFull && hasTurn;
    }

    // Not inlined: the path of a message that only waits must stay small enough to be inlined as a whole. Writes until a write is in progress or
    // nothing waits. A failure is kept: the workload may be in a call for this peer, and the connection cannot end within that call.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteWaiting()
    {
        while (!IsClosed && !_isWriting && _failure is null && (_underWay.Length > 0 || _waiting.Length > 0))
        {
            if (_underWay.Length == 0)
            {
                (_waiting, _underWay) = (_underWay, _waiting);
                _capacityFreed?.TrySetResult();
                _capacityFreed = null;
            }

            Write(_underWay.Next);
        }
    }

    private void Write(ReadOnlyMemory<byte> bytes)
    {
        (_bytesUnderWay, _isWriting) = (bytes.Length, true);
        _writesInTurn++;
        try
        {
            // Not awaited, because that would allocate for every write that does not complete at once.
            _write = AwaiterOf(WriteAsync(bytes));
            if (_write.IsCompleted)
            {
                FinishWrite();
            }
            else
            {
                _write.UnsafeOnCompleted(_written);
            }
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            Fail(exception);
        }
    }

    private static ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter AwaiterOf(ValueTask write) => write.ConfigureAwait(false).GetAwaiter();

    private void FinishWrite()
    {
        try
        {
            _write.GetResult();
            _underWay.Sent(_bytesUnderWay);
            _isWriting = false;
            Liveness?.Sent(Side.Now);
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            Fail(exception);
        }
    }

    private void OnWritten()
    {
        try
        {
            lock (Calls)
            {
                FinishWrite();
                if (!IsClosed)
                {
                    Flush(Side.CurrentWorker());
                }
            }
        }
        catch (Exception exception)
        {
            Side.Recorder.ReportFault(exception);
        }
    }

    private void Fail(Exception exception) => (_isWriting, _failure) = (false, exception);

    private void Close(bool sendsWaiting)
    {
        if (IsClosed)
        {
            return;
        }

        if (sendsWaiting && IsOpen)
        {
            WriteWaiting();
            if (_failure is { } failure)
            {
                OnEndOfStream(failure);
                return;
            }
        }

        Side.Timer?.Remove(this);
        OnClosed(IsOpen ? Side.CurrentWorker() : null);
        _capacityFreed?.TrySetResult();
        CloseTransport(canSend: sendsWaiting && !_isWriting);
    }
}
