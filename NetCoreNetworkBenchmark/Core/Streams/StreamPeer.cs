using System.Buffers;
using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Core.Streams;

/// <summary>
/// One connection of a library whose calls come from the thread pool. It makes the calls of the workload serial by one lock for each chunk that
/// was received, and divides chunks into messages. What the handlers send goes by a write for each message, or by one write at the end of the
/// call (<see cref="StreamSending"/>). Only one write is ever under way. How bytes come and go is the adapter's, which derives from this.
/// </summary>
public abstract class StreamPeer : IPeer, IThreadPoolWorkItem
{
    // A peer that takes all at once would never release its thread: after so many writes in a row the others have their turn. Writes of one
    // message are as many as those of a datagram server's turn.
    private const int MostWritesATurn = 16;
    private const int MostMessagesATurn = SendTurns.Budget;

    private readonly StreamSide _side;
    private readonly StreamFramer _framer;
    private readonly Action _written;
    private readonly bool _sendsEachMessage;
    private readonly int _mostWritesATurn;
    private Outbox _waiting;
    private Outbox _underWay;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _write;
    private int _bytesUnderWay;
    private int _writesInTurn;
    private Exception? _failure;
    private TaskCompletionSource? _room;
    private bool _isWriting;
    private bool _wasFull;
    private bool _isConnected;
    private int _isWoken;

    /// <summary>Creates a connection that is not connected yet.</summary>
    /// <param name="side">Whom it calls.</param>
    protected StreamPeer(StreamSide side)
    {
        ArgumentNullException.ThrowIfNull(side);
        _side = side;
        _framer = new StreamFramer(side.Plan);
        _sendsEachMessage = side.SendsEachMessage;
        _mostWritesATurn = _sendsEachMessage ? MostMessagesATurn : MostWritesATurn;
        (_waiting, _underWay) = (new Outbox(side.Plan), new Outbox(side.Plan));
        _written = OnWritten;
    }

    /// <inheritdoc/>
    public object? State { get; set; }

    /// <inheritdoc/>
    public bool IsCongested
    {
        get
        {
            bool isFull = _waiting.IsFull || _writesInTurn >= _mostWritesATurn;
            _wasFull |= isFull;
            return isFull;
        }
    }

    /// <summary>Whether it was closed, by whomever; with <see cref="Calls"/> held, or as a hint.</summary>
    protected bool IsClosed { get; private set; }

    /// <summary>Whether calls of the workload may be made; with <see cref="Calls"/> held.</summary>
    protected bool IsOpen => _isConnected && !IsClosed;

    /// <summary>Held around every call of the workload for this peer.</summary>
    protected Lock Calls { get; } = new();

    /// <inheritdoc/>
    public bool Send(ReadOnlySpan<byte> message)
    {
        if (!IsClosed && _waiting.TryAdd(message))
        {
            if (_sendsEachMessage)
            {
                WriteWaiting();
            }

            return true;
        }

        _side.CountError(IsClosed ? "sent after the close" : "sent a message that the framing cannot carry");
        return false;
    }

    /// <inheritdoc/>
    public void Wake()
    {
        if (Interlocked.Exchange(ref _isWoken, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <inheritdoc/>
    public void Close()
    {
        lock (Calls)
        {
            End(sendsFirst: true);
        }
    }

    /// <summary>The pool's thread after <see cref="Wake"/>.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        try
        {
            lock (Calls)
            {
                Volatile.Write(ref _isWoken, 0);
                if (IsOpen)
                {
                    WorkerStatistics worker = _side.CurrentWorker();
                    _wasFull = false;
                    _side.Handler.OnWritable(this, worker);
                    Flush(worker);
                }
            }
        }
        catch (Exception exception)
        {
            // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
            _side.Recorder.ReportFault(exception);
        }
    }

    /// <summary>Begins to send bytes; not called again before it has ended.</summary>
    /// <param name="bytes">The bytes, which stay until it has ended.</param>
    /// <returns>Ends when they were sent, or cannot be.</returns>
    protected abstract ValueTask WriteAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Closes the connection under the peer; once, with <see cref="Calls"/> held. Whoever reads from it then finds its end. Does not wait.</summary>
    /// <param name="canSend">Whether a last word can be sent: it is not broken, and no write is under way that the other side may never take.</param>
    protected abstract void Shut(bool canSend);

    /// <summary>Tells the workload that the connection is there.</summary>
    protected void Open()
    {
        lock (Calls)
        {
            if (!IsClosed)
            {
                _isConnected = true;
                WorkerStatistics worker = _side.CurrentWorker();
                _side.Handler.OnConnected(this, worker);
                Flush(worker);
            }
        }
    }

    /// <summary>Hands on what was received, and sends what the workload answers.</summary>
    /// <param name="received">The bytes.</param>
    /// <returns>Whether more may be read at once; where not, when <see cref="RoomAsync"/> has ended.</returns>
    protected bool Receive(in ReadOnlySequence<byte> received)
    {
        lock (Calls)
        {
            if (!IsOpen)
            {
                return true;
            }

            WorkerStatistics worker = _side.CurrentWorker();
            foreach (ReadOnlyMemory<byte> part in received)
            {
                HandOn(part.Span, worker);
            }

            Flush(worker);
            return !(_side.HoldsBack && _waiting.IsFull);
        }
    }

    /// <summary>Waits until the other side has taken enough of what was sent to it.</summary>
    /// <returns>A task that ends then, and when the connection is closed.</returns>
    protected Task RoomAsync()
    {
        lock (Calls)
        {
            return IsClosed || !_waiting.IsFull
                ? Task.CompletedTask
                : (_room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Ends a connection that can be read no more.</summary>
    /// <param name="exception">Why; null where the other side closed it.</param>
    protected void EndOfStream(Exception? exception)
    {
        lock (Calls)
        {
            if (IsClosed)
            {
                return;
            }

            if (exception is not null)
            {
                _side.CountError(StreamFailure.NameOf(exception));
            }
            else if (_framer.HasPart)
            {
                _side.CountError("got part of a message");
            }

            End(sendsFirst: exception is null);
        }
    }

    /// <summary>Sends what waits; at the end of every call of the workload, with <see cref="Calls"/> held.</summary>
    /// <param name="worker">The statistics of the calling thread.</param>
    protected void Flush(WorkerStatistics worker)
    {
        while (!IsClosed && TakeMore())
        {
            _wasFull = false;
            _side.Handler.OnWritable(this, worker);
        }

        _writesInTurn = 0;
    }

    // Sends what waits. Returns whether the workload, which was stopped before, is to go on at once.
    private bool TakeMore()
    {
        WriteWaiting();
        if (_failure is { } failure)
        {
            EndOfStream(failure);
            return false;
        }

        // What was full is under way, or gone: there is room while it is.
        if (!_wasFull || _waiting.IsFull)
        {
            return false;
        }

        if (_writesInTurn >= _mostWritesATurn)
        {
            Wake();
            return false;
        }

        return true;
    }

    private void HandOn(ReadOnlySpan<byte> received, WorkerStatistics worker)
    {
        while (!IsClosed && _framer.TryTake(ref received, out ReadOnlySpan<byte> message))
        {
            _side.Handler.OnMessage(this, message, worker);
        }

        if (!IsClosed && _framer.Violation is { } violation)
        {
            _side.CountError(violation);
            End(sendsFirst: true);
        }
    }

    // Not inlined: the path of a message that only waits is to stay small enough to be inlined as a whole.
    // Writes until one is under way or nothing waits. A failure is kept: the workload may be in a call for this peer, which cannot end within it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteWaiting()
    {
        while (!IsClosed && !_isWriting && _failure is null && (_underWay.Length > 0 || _waiting.Length > 0))
        {
            if (_underWay.Length == 0)
            {
                (_waiting, _underWay) = (_underWay, _waiting);
                _room?.TrySetResult();
                _room = null;
            }

            Write(_sendsEachMessage ? _underWay.First : _underWay.Waiting);
        }
    }

    private void Write(ReadOnlyMemory<byte> bytes)
    {
        (_bytesUnderWay, _isWriting) = (bytes.Length, true);
        _writesInTurn++;
        try
        {
            Watch(WriteAsync(bytes));
        }
        catch (Exception exception) when (StreamFailure.IsOne(exception))
        {
            Fail(exception);
        }
    }

    // Not awaited, for that would allocate for every write that does not complete at once.
    private void Watch(ValueTask write)
    {
        _write = write.ConfigureAwait(false).GetAwaiter();
        if (_write.IsCompleted)
        {
            FinishWrite();
        }
        else
        {
            _write.UnsafeOnCompleted(_written);
        }
    }

    private void FinishWrite()
    {
        try
        {
            _write.GetResult();
            _underWay.Sent(_bytesUnderWay);
            _isWriting = false;
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
                    Flush(_side.CurrentWorker());
                }
            }
        }
        catch (Exception exception)
        {
            // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
            _side.Recorder.ReportFault(exception);
        }
    }

    private void Fail(Exception exception)
    {
        (_isWriting, _failure) = (false, exception);
    }

    private void End(bool sendsFirst)
    {
        if (IsClosed)
        {
            return;
        }

        if (sendsFirst && IsOpen)
        {
            WriteWaiting();
            if (_failure is { } failure)
            {
                EndOfStream(failure);
                return;
            }
        }

        IsClosed = true;
        _room?.TrySetResult();
        if (_isConnected)
        {
            _side.Handler.OnClosed(this, _side.CurrentWorker());
        }

        Shut(canSend: sendsFirst && !_isWriting);
    }
}
