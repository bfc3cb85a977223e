using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// One connection, of a server or of a client. Each message that the workload sends is sent by a call of its own at once, or all of a turn at its end by as
/// few calls as possible (<see cref="StreamThread.SendsEachMessage"/>). What the system does not take waits for room.
/// </summary>
internal abstract unsafe class StreamConnection : IWritablePollable, IPeer
{
    // One connection's turn ends after this many receive calls, so that the others get theirs.
    private const int MostCallsATurn = 16;

    // So does that of one which sends unasked, each message by itself, to a peer that takes as fast as it sends.
    private const int MostSendsATurn = 256;

    private readonly StreamThread _thread;
    private readonly StreamTransport _transport;
    private readonly StreamFramer _framer;

    // What the system did not take; none while it keeps up.
    private Outbox? _remainder;
    private Interest _interest = Interest.Read;
    private bool _wasCongested;
    private int _sendsOfTurn;

    // A send failed within a call of the workload. The connection ends with that call's turn, not within it.
    private bool _isBroken;

    // TLS answers what it read, such as a new key, before it reads on.
    private bool _readsWithRoom;
    private int _isQueued;
    private int _isWoken;

    protected StreamConnection(StreamThread thread, StreamTransport transport)
    {
        _thread = thread;
        _transport = transport;
        _framer = new StreamFramer(thread.Plan);
    }

    /// <inheritdoc/>
    public object? State { get; set; }

    /// <inheritdoc/>
    public nint SocketHandle => _transport.Descriptor;

    /// <inheritdoc/>
    public bool IsCongested
    {
        get
        {
            bool isCongested = IsFull || _sendsOfTurn >= MostSendsATurn;
            _wasCongested |= isCongested;
            return isCongested;
        }
    }

    protected StreamThread Thread => _thread;

    protected WorkerStatistics Worker => _thread.Worker;

    /// <summary>Whether messages can be exchanged.</summary>
    protected bool IsOpen { get; private set; }

    protected bool IsClosed { get; private set; }

    /// <summary>Whether nothing is read while the other side does not take what is sent: it sends more than it takes.</summary>
    protected abstract bool HoldsBack { get; }

    private bool IsHeldBack => HoldsBack && IsFull;

    // Where each message has a call of its own, nothing waits before the system refuses one.
    private bool IsFull => _thread.SendsEachMessage ? Waiting.Length > 0 : Waiting.IsFull;

    private Outbox Waiting => _remainder ?? _thread.Outbox;

    /// <inheritdoc/>
    public void OnReadable()
    {
        if (IsOpen)
        {
            Read();
        }
        else if (!IsClosed)
        {
            Proceed();
        }
    }

    /// <inheritdoc/>
    public void OnWritable()
    {
        if (!IsOpen)
        {
            OnReadable();
            return;
        }

        Flush(hasRoom: true);
        if (IsOpen && (_readsWithRoom || _transport.HoldsBytes) && !IsHeldBack)
        {
            Read();
        }
    }

    /// <inheritdoc/>
    public abstract void OnTick();

    /// <inheritdoc/>
    public bool Send(ReadOnlySpan<byte> message) =>
        _thread.SendsEachMessage ? SendByItself(message) : (IsOpen && !_isBroken && Waiting.TryAdd(message)) || Refuse();

    /// <inheritdoc/>
    public void Wake()
    {
        Volatile.Write(ref _isWoken, 1);
        Enqueue();
    }

    /// <inheritdoc/>
    public void Close()
    {
        if (IsOpen && !_isBroken)
        {
            TrySend();
        }

        Finish();
    }

    /// <inheritdoc/>
    public void Dispose() => Finish();

    /// <summary>What <see cref="Wake"/> asked for, on the connection's thread.</summary>
    public void OnWoken()
    {
        Interlocked.Exchange(ref _isQueued, 0);
        if (IsOpen && _transport.HoldsBytes && !IsHeldBack)
        {
            Worker.ReadClock();
            Read();
        }

        if (Interlocked.Exchange(ref _isWoken, 0) != 0 && IsOpen)
        {
            Worker.ReadClock();
            CallWritable();
            Flush();
        }
    }

    /// <summary>Goes on until messages can be exchanged.</summary>
    protected virtual void Proceed()
    {
        switch (_transport.Agree())
        {
            case Outcome.Done:
                Open();
                break;
            case Outcome.WantsRead:
                Watch(Interest.Read);
                break;
            case Outcome.WantsWrite:
                Watch(Interest.Write);
                break;
            default:
                Refuse(_transport.Failure);
                break;
        }
    }

    /// <summary>Ends a connection that has not come about.</summary>
    protected void Refuse(string reason)
    {
        Finish();
        CallRefused(reason);
    }

    /// <summary>Sends what waits.</summary>
    /// <param name="hasRoom">Whether the system has just said that it takes more; otherwise, where it is waited for, nothing is tried.</param>
    protected void Flush(bool hasRoom = false)
    {
        if (!IsOpen)
        {
            return;
        }

        Outcome outcome = _isBroken ? Outcome.Failed
            : hasRoom || (_interest & Interest.Write) == 0 ? TrySend()
            : Outcome.WantsWrite;
        if (outcome == Outcome.Failed)
        {
            Break(_transport.Failure);
            return;
        }

        Settle(outcome);
    }

    /// <summary>Ends the connection; a second time does nothing.</summary>
    protected void Finish()
    {
        if (IsClosed)
        {
            return;
        }

        bool wasOpen = IsOpen;
        Drop();
        (IsOpen, IsClosed) = (false, true);
        _thread.Loop.Remove(this);
        _transport.Dispose();
        if (wasOpen)
        {
            CallClosed();
        }
    }

    /// <summary>Watches for something else from now on.</summary>
    protected void Watch(Interest interest)
    {
        if (_interest != interest)
        {
            _interest = interest;
            _thread.Loop.Watch(this, interest);
        }
    }

    protected abstract void CallConnected();

    protected abstract void CallRefused(string reason);

    protected abstract void CallMessage(ReadOnlySpan<byte> message);

    protected abstract void CallWritable();

    protected abstract void CallClosed();

    private void Open()
    {
        IsOpen = true;
        Watch(Interest.Read);
        if (_transport.Negotiated() is { } negotiated)
        {
            _thread.Recorder.CountHandshake(negotiated);
        }

        CallConnected();
        Flush();

        // The first messages may have come together with the end of the handshake.
        if (IsOpen && _transport.HoldsBytes)
        {
            Read();
        }
    }

    private void Read()
    {
        Outcome outcome = Outcome.Done;
        bool more = true;
        for (int call = 0; more && call < MostCallsATurn; call++)
        {
            outcome = _transport.Receive(_thread.Buffer, StreamThread.BufferSize, out int count);
            if (count > 0)
            {
                Worker.ReadClock();
            }

            OnBytes(new ReadOnlySpan<byte>(_thread.Buffer, count));
            more = outcome == Outcome.Done && IsOpen && !_isBroken && _transport.HasMore && _framer.Violation is null && !IsHeldBack;
        }

        Flush();
        if (IsOpen)
        {
            AfterRead(outcome);
        }
    }

    private void AfterRead(Outcome outcome)
    {
        _readsWithRoom = outcome == Outcome.WantsWrite;
        if (_framer.Violation is { } violation)
        {
            Break(violation);
        }
        else if (outcome == Outcome.Failed)
        {
            Break(_transport.Failure);
        }
        else if (outcome == Outcome.Ended)
        {
            End();
        }
        else if (outcome == Outcome.Done && _transport.HasMore && _transport.HoldsBytes && !IsHeldBack)
        {
            // Its turn was long enough, or what held it back has just been sent.
            Enqueue();
        }
        else if (_readsWithRoom)
        {
            Watch(_interest | Interest.Write);
        }
    }

    private void OnBytes(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty && IsOpen && _framer.TryTake(ref bytes, out ReadOnlySpan<byte> message))
        {
            CallMessage(message);
        }
    }

    private void End()
    {
        if (_framer.HasPart)
        {
            Break("got part of a message");
            return;
        }

        Finish();
    }

    private void Break(string reason)
    {
        _thread.Recorder.CountError($"{_thread.Side} {reason}");
        Finish();
    }

    // Not inlined: the path of a message that only waits is to stay small enough to be inlined as a whole.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool SendByItself(ReadOnlySpan<byte> message)
    {
        Outbox waiting = Waiting;
        if (!IsOpen || _isBroken || !waiting.CanCarry(message))
        {
            return Refuse();
        }

        return waiting.Length == 0 ? SendAtOnce(message, waiting) : waiting.TryAdd(message);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Refuse()
    {
        if (IsOpen && !_isBroken)
        {
            _thread.Recorder.CountError($"{_thread.Side} {System.Net.Sockets.SocketError.MessageSize}");
        }

        return false;
    }

    // One call for the message, and more only where the system takes it in parts. The rest waits.
    private bool SendAtOnce(ReadOnlySpan<byte> message, Outbox waiting)
    {
        _sendsOfTurn++;
        if (_thread.HasPrefix)
        {
            // The prefix and the message are one piece there.
            _isBroken = waiting.TryAdd(message) && TrySend() == Outcome.Failed;
            return !_isBroken;
        }

        Outcome outcome = Outcome.Done;
        int sent = 0;
        fixed (byte* bytes = message)
        {
            while (sent < message.Length && outcome == Outcome.Done)
            {
                outcome = _transport.Send(bytes + sent, message.Length - sent, out int count);
                sent += count;
            }
        }

        if (sent < message.Length)
        {
            waiting.TryAdd(message);
            waiting.SentOfFirst(sent);
        }

        _isBroken = outcome == Outcome.Failed;
        return !_isBroken;
    }

    // What cannot be sent now stays in the outbox.
    private Outcome TrySend()
    {
        Outbox waiting = Waiting;
        Outcome outcome = Outcome.Done;
        while (waiting.Length > 0 && outcome == Outcome.Done)
        {
            ReadOnlySpan<byte> next = (_thread.SendsEachMessage ? waiting.First : waiting.Waiting).Span;
            int count;
            fixed (byte* bytes = next)
            {
                outcome = _transport.Send(bytes, next.Length, out count);
            }

            if (_thread.SendsEachMessage)
            {
                waiting.SentOfFirst(count);
            }
            else
            {
                waiting.Sent(count);
            }
        }

        return outcome;
    }

    // Keeps what was not sent, and watches for what the next attempt needs.
    private void Settle(Outcome outcome)
    {
        _sendsOfTurn = 0;
        if (Waiting.Length > 0)
        {
            _remainder ??= _thread.LeaveOutbox();
            Watch((outcome == Outcome.WantsWrite ? Interest.Write : Interest.Read) | (IsHeldBack ? Interest.None : Interest.Read));
            return;
        }

        if (_remainder is not null)
        {
            _thread.GiveBack(_remainder);
            _remainder = null;
        }

        Watch(Interest.Read);
        if (_wasCongested)
        {
            _wasCongested = false;
            Wake();
        }
    }

    private void Drop()
    {
        if (IsOpen)
        {
            Waiting.Sent(Waiting.Length);
        }
    }

    private void Enqueue()
    {
        if (Interlocked.Exchange(ref _isQueued, 1) == 0)
        {
            _thread.Woken.Add(this);
        }
    }
}
