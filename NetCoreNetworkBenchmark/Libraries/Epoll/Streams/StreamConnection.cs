using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>
/// One connection of a server or a client. Each message that the workload sends is sent at once by a call of its own, or all messages of a turn are sent at its
/// end by as few calls as possible (<see cref="StreamThread.SendsEachMessage"/>). Bytes that the system does not accept wait for room.
/// </summary>
internal abstract unsafe class StreamConnection : IPollable, IPeer
{
    // One connection's turn ends after this many receive calls, so that the others get theirs.
    private const int MostCallsATurn = 16;

    // The turn also ends after this many sends of a connection that sends unasked, each message by itself, to a peer that reads as fast as it sends.
    private const int MostSendsATurn = 256;

    // A message from this size is not copied to be behind its header. The system gathers the two.
    private const int SmallestGathered = 4096;

    private readonly StreamTransport _transport;
    private readonly StreamFramer _framer;
    private readonly IPeerHandler _handler;

    // Bytes that the system did not accept; null while it keeps up.
    private Outbox? _remainder;
    private Interest _interest = Interest.Read;
    private bool _wasCongested;
    private int _sendsOfTurn;

    // The heartbeats of an open connection; null if the plan has none.
    private Liveness? _liveness;
    private bool _awaitsFirstMessage;

    // A send failed within a call of the workload. The connection ends at the end of that call's turn, not within the call.
    private bool _isBroken;

    // TLS answers some input, such as a new key, before it reads on.
    private bool _readsWithRoom;
    private int _isQueued;
    private int _isWoken;

    protected StreamConnection(StreamThread thread, StreamTransport transport)
    {
        Thread = thread;
        _transport = transport;
        _framer = new StreamFramer(thread.Side.Plan);
        _handler = thread.Side.Handler;
    }

    public object? State { get; set; }

    public nint SocketHandle => _transport.Descriptor;

    public bool IsCongested
    {
        get
        {
            bool isCongested = IsFull || _sendsOfTurn >= MostSendsATurn;
            _wasCongested |= isCongested;
            return isCongested;
        }
    }

    protected StreamThread Thread { get; }

    protected WorkerStatistics Worker => Thread.Worker;

    /// <summary>Whether messages can be exchanged.</summary>
    protected bool IsOpen { get; private set; }

    protected bool IsClosed { get; private set; }

    private bool IsHeldBack => Thread.Side.HoldsBack && IsFull;

    // If each message has a call of its own, nothing waits before the system refuses a message.
    private bool IsFull => Thread.SendsEachMessage ? Waiting.Length > 0 : Waiting.IsFull;

    private Outbox Waiting => _remainder ?? Thread.Outbox;

    public void OnReadable()
    {
        if (IsOpen)
        {
            Read();
        }
        else if (!IsClosed)
        {
            Worker.ReadClock();
            Proceed();
        }
    }

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

    public abstract void OnTick();

    public bool Send(ReadOnlySpan<byte> message) =>
        Thread.SendsEachMessage ? SendByItself(message) : (IsOpen && !_isBroken && Waiting.TryAdd(message)) || Refuse();

    public void Wake()
    {
        Volatile.Write(ref _isWoken, 1);
        Enqueue();
    }

    public void Close()
    {
        if (IsOpen && !_isBroken)
        {
            TrySend();
        }

        Finish();
    }

    public void Dispose() => Finish();

    /// <summary>Performs the work that <see cref="Wake"/> requested, on the connection's thread.</summary>
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
            _handler.OnWritable(this, Worker);
            Flush();
        }
    }

    /// <summary>Continues to establish the connection, as far as possible, until messages can be exchanged.</summary>
    public virtual void Proceed()
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

    /// <summary>Ends a connection that was not established.</summary>
    protected void Refuse(string reason)
    {
        Finish();
        CallRefused(reason);
    }

    /// <summary>Sends a heartbeat if one is due, or ends a connection whose other side is gone.</summary>
    protected void KeepAlive()
    {
        if (_liveness is null || !IsOpen)
        {
            return;
        }

        if (_liveness.IsLost(Worker.Now, hasUnsent: Waiting.Length > 0))
        {
            Disconnect(_liveness.Fault);
        }
        else if (Waiting.Length == 0 && _liveness.IsDue(Worker.Now))
        {
            Waiting.AddHeartbeat();
            Worker.Current.Counters.HeartbeatsSent++;
            Flush();
        }
    }

    /// <summary>Requests a call of <see cref="OnFirstMessage"/>.</summary>
    protected void AwaitFirstMessage() => _awaitsFirstMessage = true;

    /// <summary>Called after the first message, if it was requested.</summary>
    protected virtual void OnFirstMessage()
    {
        // Most connections do not request it.
    }

    /// <summary>Sends the waiting bytes.</summary>
    /// <param name="hasRoom">Whether the system has just reported that it accepts more. If not, and the connection waits for that report, nothing is
    /// tried.</param>
    protected void Flush(bool hasRoom = false)
    {
        if (!IsOpen)
        {
            return;
        }

        Outcome outcome = _isBroken ? Outcome.Failed
            : hasRoom || (_interest & Interest.Write) == 0 ? TrySend(MostSendsATurn)
            : Outcome.WantsWrite;
        if (outcome == Outcome.Failed)
        {
            Disconnect(_transport.Failure);
            return;
        }

        Settle(outcome);
    }

    /// <summary>Ends the connection. A second call has no effect.</summary>
    protected void Finish()
    {
        if (IsClosed)
        {
            return;
        }

        bool wasOpen = IsOpen;
        if (wasOpen)
        {
            Waiting.Sent(Waiting.Length);
        }

        (IsOpen, IsClosed) = (false, true);
        Thread.Loop.Remove(this);
        _transport.Dispose();
        if (wasOpen)
        {
            CallClosed();
        }
    }

    /// <summary>Sets the readiness that is watched from now on.</summary>
    protected void Watch(Interest interest)
    {
        if (_interest != interest)
        {
            _interest = interest;
            Thread.Loop.Watch(this, interest);
        }
    }

    protected virtual void CallConnected() => _handler.OnConnected(this, Worker);

    protected virtual void CallClosed() => _handler.OnClosed(this, Worker);

    protected abstract void CallRefused(string reason);

    private void Open()
    {
        IsOpen = true;
        _liveness = Liveness.Of(Thread.Side.Plan, Worker.Now);
        Watch(Interest.Read);
        if (_transport.Negotiated() is { } negotiated)
        {
            Thread.Side.Recorder.CountHandshake(negotiated);
        }

        CallConnected();
        Flush();

        // The first messages may have arrived together with the end of the handshake.
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
            outcome = Receive();
            more = outcome == Outcome.Done && IsOpen && !_isBroken && _transport.HasMore && _framer.Violation is null && !IsHeldBack;
        }

        if (_liveness is not null)
        {
            Worker.Current.Counters.HeartbeatsReceived += _framer.TakeHeartbeats();
        }

        Flush();
        if (IsOpen)
        {
            AfterRead(outcome);
        }
    }

    private Outcome Receive()
    {
        Span<byte> room = _framer.Room;
        Outcome outcome;
        int count;
        if (room.IsEmpty)
        {
            outcome = _transport.Receive(Thread.Buffer, StreamThread.BufferSize, out count);
            OnReceived(count);
            OnBytes(new ReadOnlySpan<byte>(Thread.Buffer, count));
            return outcome;
        }

        // A large message is received where it is completed, by large calls.
        fixed (byte* bytes = room)
        {
            outcome = _transport.Receive(bytes, room.Length, out count);
        }

        OnReceived(count);
        OnBytes(room[..count]);
        return outcome;
    }

    private void OnReceived(int count)
    {
        if (count > 0)
        {
            Worker.ReadClock();
            _liveness?.Received(Worker.Now);
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
            Disconnect(_transport.Failure);
        }
        else if (outcome == Outcome.Ended && _framer.HasPart)
        {
            Disconnect("got part of a message");
        }
        else if (outcome == Outcome.Ended)
        {
            Finish();
        }
        else if (outcome == Outcome.Done && _transport.HasMore && _transport.HoldsBytes && !IsHeldBack)
        {
            // Its turn was long enough, or the bytes that held it back have just been sent.
            Enqueue();
        }
        else if (_readsWithRoom)
        {
            Watch(_interest | Interest.Write);
        }
    }

    private void OnBytes(ReadOnlySpan<byte> bytes)
    {
        bool hasMore = true;
        while (hasMore && IsOpen && _framer.TryTake(ref bytes, out ReadOnlySpan<byte> message))
        {
            _handler.OnMessage(this, message, Worker);
            if (_awaitsFirstMessage)
            {
                _awaitsFirstMessage = false;
                OnFirstMessage();
            }

            hasMore = !bytes.IsEmpty;
        }
    }

    private void Disconnect(string reason)
    {
        Thread.Side.CountDisconnect(reason);
        Finish();
    }

    private void Break(string reason)
    {
        Thread.Side.CountError(reason);
        Finish();
    }

    // Not inlined: the path of a message that only waits must stay small enough to be inlined as a whole.
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
            Thread.Side.CountError($"{System.Net.Sockets.SocketError.MessageSize}");
        }

        return false;
    }

    // One call sends the message. More calls are made only if the system accepts it in parts. The rest waits.
    private bool SendAtOnce(ReadOnlySpan<byte> message, Outbox waiting)
    {
        _sendsOfTurn++;
        if (Thread.HeaderSize > 0 && (message.Length < SmallestGathered || !_transport.CanGather))
        {
            // The header and the message are contiguous in the outbox.
            _isBroken = waiting.TryAdd(message) && TrySend() == Outcome.Failed;
            return !_isBroken;
        }

        Outcome outcome = Outcome.Done;
        int sent = 0;
        int size = Thread.HeaderSize + message.Length;
        byte* header = stackalloc byte[StreamFramer.LargestHeader];
        waiting.WriteHeader(message, new Span<byte>(header, Thread.HeaderSize));
        fixed (byte* bytes = message)
        {
            while (sent < size && outcome == Outcome.Done)
            {
                int ofHeader = Math.Max(Thread.HeaderSize - sent, 0);
                int ofMessage = Math.Min(size - sent, message.Length);
                outcome = ofHeader > 0
                    ? _transport.SendGathered(header + sent, ofHeader, bytes, ofMessage, out int count)
                    : _transport.Send(bytes + message.Length - ofMessage, ofMessage, out count);
                sent += count;
            }
        }

        if (sent > 0)
        {
            _liveness?.Sent(Worker.Now);
        }

        if (sent < size)
        {
            waiting.TryAdd(message);
            waiting.SentOfFirst(sent);
        }

        _isBroken = outcome == Outcome.Failed;
        return !_isBroken;
    }

    // Bytes that cannot be sent now stay in the outbox. So do those that are left after as many calls as a turn may have: the loop calls again, after the
    // other connections have had their turn.
    private Outcome TrySend(int mostCalls = int.MaxValue)
    {
        Outbox waiting = Waiting;
        Outcome outcome = Outcome.Done;
        for (int calls = 0; waiting.Length > 0 && outcome == Outcome.Done; calls++)
        {
            if (calls == mostCalls)
            {
                return Outcome.WantsWrite;
            }

            ReadOnlySpan<byte> next = (Thread.SendsEachMessage ? waiting.First : waiting.Waiting).Span;
            int count;
            fixed (byte* bytes = next)
            {
                outcome = _transport.Send(bytes, next.Length, out count);
            }

            if (Thread.SendsEachMessage)
            {
                waiting.SentOfFirst(count);
            }
            else
            {
                waiting.Sent(count);
            }

            if (count > 0)
            {
                _liveness?.Sent(Worker.Now);
            }
        }

        return outcome;
    }

    // Keeps the unsent bytes, and watches for the readiness that the next attempt needs.
    private void Settle(Outcome outcome)
    {
        _sendsOfTurn = 0;
        if (Waiting.Length > 0)
        {
            _remainder ??= Thread.LeaveOutbox();
            Watch((outcome == Outcome.WantsWrite ? Interest.Write : Interest.Read) | (IsHeldBack ? Interest.None : Interest.Read));
            return;
        }

        if (_remainder is not null)
        {
            Thread.GiveBack(_remainder);
            _remainder = null;
        }

        Watch(Interest.Read);
        if (_wasCongested)
        {
            _wasCongested = false;
            Wake();
        }
    }

    private void Enqueue()
    {
        if (Interlocked.Exchange(ref _isQueued, 1) == 0)
        {
            Thread.Woken.Add(this);
        }
    }
}
