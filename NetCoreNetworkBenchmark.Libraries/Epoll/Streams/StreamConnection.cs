namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

// A message is sent at once by a call of its own, or with all others of its turn at the end (StreamSide.SendsEachMessage). Bytes that are refused wait.
internal class StreamConnection : FramedPeer, IPollable
{
    // One connection's turn ends after this many receive calls, so that the others get theirs.
    private const int MaxCallsPerTurn = 16;

    // The turn also ends after this many sends of a connection that pushes, each message by itself, to a peer that reads as fast as it sends.
    private const int MaxSendsPerTurn = 256;

    private readonly StreamTransport _transport;
    private readonly ConnectionLimit? _limit;
    private readonly long _begun;

    // Bytes that the system did not accept; null while it keeps up.
    private Outbox? _remainder;
    private Interest _interest = Interest.Read;
    private bool _wasCongested;
    private int _sendsOfTurn;

    // A send failed within a call of the workload. The connection ends at the end of that call's turn, not within the call.
    private bool _isBroken;

    // TLS answers some input, such as a new key, before it reads on.
    private bool _readsWhenWritable;
    private int _isQueued;
    private int _isWoken;

    // The caller adds it to the loop. A server's connection has a slot in the limit, and a client's has an observer.
    public StreamConnection(StreamThread thread, StreamTransport transport, IConnectObserver? observer = null, ConnectionLimit? limit = null)
        : base(thread.Side, observer)
    {
        (Thread, _transport, _limit, _begun) = (thread, transport, limit, thread.Side.Now);
    }

    public nint SocketHandle => _transport.Descriptor;

    public sealed override bool IsCongested
    {
        get
        {
            bool isCongested = IsFull || _sendsOfTurn >= MaxSendsPerTurn;

            // The workload stops now, and is called again.
            _wasCongested |= isCongested;
            return isCongested;
        }
    }

    protected StreamThread Thread { get; }

    protected WorkerStatistics Worker => Thread.Worker;

    private bool IsReadingPaused => Side.AppliesBackPressure && IsFull;

    // If each message has a call of its own, nothing waits before the system refuses a message.
    private bool IsFull => Side.SendsEachMessage ? Waiting.Length > 0 : Waiting.IsFull;

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

        Flush(isWritable: true);
        if (IsOpen && (_readsWhenWritable || _transport.HasBuffered) && !IsReadingPaused)
        {
            Read();
        }
    }

    public virtual void OnTick()
    {
        if (TryAddHeartbeat(Waiting, hasUnsent: Waiting.Length > 0, Worker, Worker.Now))
        {
            Flush();
        }
        else if (!IsOpen && !IsClosed && Stopwatch.GetElapsedTime(_begun, Worker.Now) > Side.Plan.ConnectDeadline)
        {
            // A client that connects and then sends nothing would be kept forever.
            string peer = Observer is null ? "client" : "server";
            FailHandshake(FormattableString.Invariant($"the {peer} did not complete it within {Side.Plan.ConnectDeadline.TotalSeconds:0.#} s"));
        }
    }

    public sealed override bool Send(ReadOnlySpan<byte> message) =>
        Side.SendsEachMessage ? SendByItself(message) : (IsOpen && !_isBroken && Waiting.TryAdd(message)) || RejectMessage();

    public sealed override void Wake() => RequestTurn();

    public sealed override void Close()
    {
        if (IsOpen && !_isBroken)
        {
            TrySend();
        }

        Abort();
    }

    public void Dispose() => Abort();

    public void OnWoken()
    {
        Interlocked.Exchange(ref _isQueued, 0);
        if (IsOpen && _transport.HasBuffered && !IsReadingPaused)
        {
            Worker.ReadClock();
            Read();
        }

        if (Interlocked.Exchange(ref _isWoken, 0) != 0 && IsOpen)
        {
            Worker.ReadClock();
            Side.Handler.OnWritable(this, Worker);
            Flush();
        }
    }

    public virtual void Proceed()
    {
        Outcome outcome = _transport.Handshake();
        if (outcome == Outcome.Done)
        {
            Open();
        }
        else if (outcome.Awaits() is { } interest)
        {
            Watch(interest);
        }
        else
        {
            FailHandshake(_transport.Failure);
        }
    }

    // If bytes wait for the report that the system accepts more (isWritable), they wait on.
    protected void Flush(bool isWritable = false)
    {
        if (!IsOpen)
        {
            return;
        }

        Outcome outcome = _isBroken ? Outcome.Failed
            : isWritable || (_interest & Interest.Write) == 0 ? TrySend(MaxSendsPerTurn)
            : Outcome.WantsWrite;
        if (outcome == Outcome.Failed)
        {
            Abort(_transport.Failure);
            return;
        }

        Settle(outcome);
    }

    protected sealed override void Abort()
    {
        if (IsClosed)
        {
            return;
        }

        if (IsOpen)
        {
            Waiting.Clear();
        }

        Thread.Loop.Remove(this);
        _transport.Dispose();
        _limit?.Leave();
        OnClosed(Worker);
    }

    protected void Watch(Interest interest) => Thread.Watch(this, ref _interest, interest);

    private void FailHandshake(string reason)
    {
        Abort();
        if (Observer is null)
        {
            Side.CountError($"TLS handshake failed: {reason}");
        }
        else
        {
            Observer.Refused($"the TLS handshake failed: {reason}");
        }
    }

    private void Open()
    {
        Watch(Interest.Read);
        if (_transport.Negotiated() is { } negotiated)
        {
            Side.Recorder.CountHandshake(negotiated);
        }

        OnOpened(Worker, Worker.Now);
        Observer?.Connected();
        Flush();

        // The first messages may have arrived together with the end of the handshake.
        if (IsOpen && _transport.HasBuffered)
        {
            Read();
        }
    }

    private void Read()
    {
        Outcome outcome = Outcome.Done;
        bool more = true;
        for (int call = 0; more && call < MaxCallsPerTurn; call++)
        {
            outcome = Receive();
            more = outcome == Outcome.Done && IsOpen && !_isBroken && _transport.HasMore && Framer.Violation is null && !IsReadingPaused;
        }

        Flush();
        if (IsOpen)
        {
            AfterRead(outcome);
        }
    }

    private Outcome Receive()
    {
        // A large message is received where it is completed, by large calls.
        Span<byte> buffer = Framer.ReceiveBuffer is { IsEmpty: false } receiveBuffer ? receiveBuffer : Thread.Buffer;
        Outcome outcome = _transport.Receive(buffer, out int count);
        if (count > 0)
        {
            Worker.ReadClock();
            Liveness?.Received(Worker.Now);
            Deliver(buffer[..count], Worker);
        }

        return outcome;
    }

    private void AfterRead(Outcome outcome)
    {
        _readsWhenWritable = outcome == Outcome.WantsWrite;
        if (Framer.Violation is { } violation)
        {
            Side.CountError(violation);
            Abort();
        }
        else if (outcome is Outcome.Failed or Outcome.Ended)
        {
            CountEndOfStream(outcome == Outcome.Failed ? _transport.Failure : null);
            Abort();
        }
        else if (outcome == Outcome.Done && _transport.HasMore && _transport.HasBuffered && !IsReadingPaused)
        {
            // Its turn was long enough, or the bytes that held it back have just been sent.
            Enqueue();
        }
        else if (_readsWhenWritable)
        {
            Watch(_interest | Interest.Write);
        }
    }

    // Not inlined: the path of a message that only waits must stay small enough to be inlined as a whole.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool SendByItself(ReadOnlySpan<byte> message)
    {
        Outbox waiting = Waiting;
        if (!IsOpen || _isBroken || !waiting.CanCarry(message))
        {
            return RejectMessage();
        }

        if (waiting.Length > 0)
        {
            return waiting.TryAdd(message);
        }

        _sendsOfTurn++;
        Outcome outcome = _transport.Send(message, waiting);
        NoteSent(waiting.HeaderSize + message.Length - waiting.Length);
        _isBroken = outcome == Outcome.Failed;
        return !_isBroken;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RejectMessage()
    {
        if (IsOpen && !_isBroken)
        {
            Side.CountError($"{System.Net.Sockets.SocketError.MessageSize}");
        }

        return false;
    }

    // Bytes that cannot be sent now stay in the outbox.
    private Outcome TrySend(int maxCalls = int.MaxValue)
    {
        Outbox waiting = Waiting;
        int before = waiting.Length;
        Outcome outcome = _transport.Send(waiting, maxCalls);
        NoteSent(before - waiting.Length);
        return outcome;
    }

    private void NoteSent(int count)
    {
        if (count > 0)
        {
            Liveness?.Sent(Worker.Now);
        }
    }

    private void Settle(Outcome outcome)
    {
        _sendsOfTurn = 0;
        if (Waiting.Length > 0)
        {
            _remainder ??= Thread.LeaveOutbox();
            Watch((outcome == Outcome.WantsWrite ? Interest.Write : Interest.Read) | (IsReadingPaused ? Interest.None : Interest.Read));
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
            RequestTurn();
        }
    }

    private void RequestTurn()
    {
        Volatile.Write(ref _isWoken, 1);
        Enqueue();
    }

    private void Enqueue()
    {
        if (Interlocked.Exchange(ref _isQueued, 1) == 0)
        {
            Thread.Woken.Add(this);
        }
    }
}
