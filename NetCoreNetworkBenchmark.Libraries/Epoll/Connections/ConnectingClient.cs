using NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Connections;

// The first connection, before the load, shows that the server answers. A failed one is followed at the next tick, to not flood a server that refuses all.
internal sealed class ConnectingClient : IPolledClient
{
    private const string Tls = "the TLS handshake failed: ";
    private const string Plain = "";

    private readonly ClientSetup _setup;
    private readonly IConnectionHandler _handler;
    private readonly StreamThread _thread;
    private readonly HttpAnswer _answer;
    private readonly SavedSession? _session;
    private readonly Queue<long> _due = new();
    private readonly long _deadline;
    private readonly LoopTimer _retry;

    // The observer of the first connection; null after it.
    private IConnectObserver? _observer;
    private StreamTransport _transport;
    private ConnectionTimes _times;
    private NegotiatedTls? _negotiated;
    private Step _step;
    private Interest _interest;
    private int _requested;

    public ConnectingClient(ClientSetup setup, IConnectionHandler handler, IConnectObserver observer, StreamThread thread)
    {
        (_setup, _handler, _observer, _thread) = (setup, handler, observer, thread);
        _deadline = RunRecorder.ToTicks(setup.Plan.LossDeadline);
        _session = setup.Plan.Tls.Resumption is null or TlsPlan.NoResumption ? null : new SavedSession();
        _answer = new HttpAnswer(handler.AcceptsAnyStatus);
        _retry = new LoopTimer(Continue);
        Worker.ReadClock();
        _transport = Open(Worker.Now, out SocketError error);

        // The creator adds the client to the loop first.
        thread.Loop.Post(() => Begin(error));
    }

    private enum Step
    {
        Idle,
        Connecting,
        Securing,
        Requesting,
        Answering,
    }

    public nint SocketHandle => _transport.Descriptor;

    private WorkerStatistics Worker => _thread.Worker;

    private bool IsPaced => _setup.Schedule is not null;

    public void Start()
    {
        if (!IsPaced)
        {
            Continue();
        }
    }

    public void Due(long due)
    {
        _due.Enqueue(due);
        Worker.Waiting++;
        if (!_retry.IsSet)
        {
            Continue();
        }
    }

    public void OnReadable()
    {
        // The readiness may be of the connection before this one, which had the same slot of the loop. A connect waits for writability.
        if (_step == Step.Connecting)
        {
            return;
        }

        Worker.ReadClock();
        Proceed();
    }

    public void OnWritable() => Proceed();

    public void OnTick()
    {
        if (_step != Step.Idle && Worker.Now - _times.Begun > _deadline)
        {
            string what = _step switch
            {
                Step.Connecting => "was not accepted",
                Step.Securing => "did not complete the TLS handshake",
                _ => "got no answer",
            };
            Fail(FormattableString.Invariant($"it {what} within {_setup.Plan.LossDeadline.TotalSeconds:0.#} s"));
        }
    }

    public void Dispose()
    {
        _step = Step.Idle;
        _transport.Dispose();
        _session?.Dispose();
    }

    private void Continue()
    {
        if (_step != Step.Idle || _observer is not null)
        {
            return;
        }

        Worker.ReadClock();
        if (!TryTakeNext(out long due))
        {
            return;
        }

        _transport = Open(due, out SocketError error);
        if (error == SocketError.AddressNotAvailable && _thread.Sources.TryMoveOn(_setup.EndPoint))
        {
            // The ports of this source address are in use, or wait for late segments (TIME_WAIT).
            _transport.Dispose();
            _transport = Open(due, out error);
        }

        _thread.Loop.Add(this, _interest = Interest.Write);
        if (error != SocketError.Success)
        {
            Fail(Explain(error));
        }
    }

    private bool TryTakeNext(out long due)
    {
        due = Worker.Now;
        if (!IsPaced)
        {
            return _handler.OnOpening(due, Worker);
        }

        while (_due.TryDequeue(out due))
        {
            Worker.Waiting--;
            if (_handler.OnOpening(due, Worker))
            {
                return true;
            }
        }

        return false;
    }

    private StreamTransport Open(long due, out SocketError error)
    {
        _times = new ConnectionTimes(due, Worker.Now, 0, 0, 0);
        _step = Step.Connecting;
        return _thread.CreateTransport(StreamSocket.Connect(_setup.EndPoint, out error, _thread.Sources.Current));
    }

    private void Begin(SocketError error)
    {
        if (error != SocketError.Success)
        {
            Fail(Explain(error));
        }
        else if (_step != Step.Idle)
        {
            _interest = Interest.Read;
            Watch(Interest.Write);
        }
    }

    private void Proceed()
    {
        if (_step == Step.Connecting)
        {
            Connect();
        }

        if (_step == Step.Securing)
        {
            Secure();
        }

        if (_step == Step.Requesting)
        {
            Request();
        }

        if (_step == Step.Answering)
        {
            Answer();
        }
    }

    private void Connect()
    {
        SocketError error = StreamSocket.ErrorOf((int)SocketHandle, _setup.EndPoint);
        if (error != SocketError.Success)
        {
            Fail(Explain(error));
            return;
        }

        _times = _times with { Connected = Worker.Now };
        _step = Step.Securing;
        (_transport as TlsTransport)?.Resume(_session);
    }

    private void Secure()
    {
        Outcome outcome = _transport.Handshake();
        if (outcome != Outcome.Done)
        {
            WaitOrFail(outcome, Tls);
            return;
        }

        Worker.ReadClock();
        _times = _times with { Secured = Worker.Now };
        _negotiated = _transport.Negotiated();
        (_step, _requested) = (Step.Requesting, 0);
        if (_handler.Request.IsEmpty)
        {
            Complete();
        }
    }

    private void Request()
    {
        Outcome outcome = Outcome.Done;
        ReadOnlySpan<byte> request = _handler.Request.Span;
        while (_requested < request.Length && outcome == Outcome.Done)
        {
            outcome = _transport.Send(request[_requested..], out int count);
            _requested += count;
        }

        if (outcome != Outcome.Done)
        {
            WaitOrFail(outcome, Plain);
            return;
        }

        _answer.Clear();
        _step = Step.Answering;
        Watch(Interest.Read);
    }

    private void Answer()
    {
        Outcome outcome;
        do
        {
            outcome = _transport.Receive(_thread.Buffer, out int count);
            Worker.ReadClock();
            _answer.Add(_thread.Buffer[..count]);
        }
        while (outcome == Outcome.Done && !_answer.IsComplete && _answer.Fault is null);

        if (outcome == Outcome.Ended)
        {
            _answer.End();
        }

        if (_answer.Fault is { } fault)
        {
            Fail(fault);
        }
        else if (_answer.IsComplete)
        {
            Complete();
        }
        else
        {
            WaitOrFail(outcome, Plain);
        }
    }

    private void WaitOrFail(Outcome outcome, string prefix)
    {
        if (outcome.Awaits() is { } interest)
        {
            Watch(interest);
        }
        else
        {
            Fail($"{prefix}{(outcome == Outcome.Ended ? "the server closed the connection" : _transport.Failure)}");
        }
    }

    private void Watch(Interest interest) => _thread.Watch(this, ref _interest, interest);

    private void Complete()
    {
        (_transport as TlsTransport)?.Save(_session);
        _times = _times with { Ended = Worker.Now };
        Close();
        if (_observer is { } observer)
        {
            _observer = null;
            observer.Connected();
        }
        else
        {
            _handler.OnCompleted(_times, Worker);
        }

        Continue();
    }

    private void Fail(string reason)
    {
        Close();
        if (_observer is { } observer)
        {
            observer.Refused(reason);
            return;
        }

        _handler.OnFailed(_times.Due, reason, Worker);
        _thread.Loop.Set(_retry, Worker.Now + RunRecorder.ToTicks(ClientSetup.TickInterval));
    }

    private void Close()
    {
        _step = Step.Idle;
        CountHandshake();
        _thread.Loop.Remove(this);
        _transport.Dispose();
    }

    // At the end of the connection: the tickets of TLS 1.3 come after the handshake, and before the answer.
    private void CountHandshake()
    {
        if (_negotiated is { } negotiated)
        {
            int? tickets = _handler.Request.IsEmpty ? null : (_transport as TlsTransport)?.Tickets;
            _setup.Recorder.CountHandshake(negotiated with { Tickets = tickets });
            _negotiated = null;
        }
    }

    private string Explain(SocketError error) => StreamSocket.Explain(_setup.EndPoint, error);
}
