using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;
using EpollListener = NetCoreNetworkBenchmark.Libraries.Epoll.Streams.StreamListener;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll.Streams;

/// <summary>Counts of the calls to all transports of a test. They are read from other threads.</summary>
internal sealed class TransportCalls
{
    private int _receives;
    private int _sends;
    private int _refused;
    private int _afterEnd;
    private long _queued;
    private long _maxQueued;

    /// <summary>The number of the first send call that fails, with all calls after it; 0 for none.</summary>
    public int FailingSend { get; init; }
    public int Receives => Volatile.Read(ref _receives);
    public int Sends => Volatile.Read(ref _sends);
    public int Refused => Volatile.Read(ref _refused);
    public int AfterEnd => Volatile.Read(ref _afterEnd);

    /// <summary>The most bytes at any time that were received and not yet sent: the queue of an echo.</summary>
    public long MaxQueued => Volatile.Read(ref _maxQueued);
    public bool? NoDelay { get; private set; }

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        PolledServer.Start("Epoll", setup, (loop, each) => EpollListener.Serving(
            each, loop, new ConnectionLimit(setup), Counted(new EpollBenchmark().TransportFactoryOf(each))));

    public Task<IClientGroup> ConnectAsync(StreamService service)
    {
        ClientSetup setup = service.CreateClientSetup(service.Client);
        var threads = new ConcurrentDictionary<PollLoop, StreamThread>();
        return PolledClientGroup.ConnectAsync(
            "Epoll",
            setup,
            (loop, observer) => StreamClient.Connect(
                setup, observer, threads.GetOrAdd(loop, _ => new StreamThread(loop, StreamSide.For(setup), Counted(EpollBenchmark.TransportFactoryOf(setup))))),
            TestContext.Current.CancellationToken);
    }

    public void OnOpened(int descriptor)
    {
        uint length = sizeof(int);
        int result = SysSocket.getsockopt(descriptor, SysSocket.SOL_TCP, SysSocket.TCP_NODELAY, out int value, ref length);
        NoDelay = NoDelay is not false && result == 0 && value != 0;
    }

    public void OnReceived(int count)
    {
        Interlocked.Add(ref _receives, count > 0 ? 1 : 0);
        long queued = Interlocked.Add(ref _queued, count);
        Volatile.Write(ref _maxQueued, Math.Max(_maxQueued, queued));
    }

    /// <summary>Counts a send call before it is made; returns whether it must fail.</summary>
    public bool OnSend() => Interlocked.Increment(ref _sends) is var number && FailingSend > 0 && number >= FailingSend;

    public void OnSent(int count, int requested)
    {
        Interlocked.Add(ref _refused, count < requested ? 1 : 0);
        Interlocked.Add(ref _queued, -count);
    }

    public void OnCalledAfterEnd() => Interlocked.Increment(ref _afterEnd);

    private Func<int, StreamTransport> Counted(Func<int, StreamTransport> create) => descriptor => new CountingTransport(create(descriptor), this);
}

internal sealed class CountingTransport : StreamTransport
{
    private readonly StreamTransport _inner;
    private readonly TransportCalls _calls;
    private bool _hasEnded;

    public CountingTransport(StreamTransport inner, TransportCalls calls)
        : base(inner.Descriptor)
    {
        (_inner, _calls) = (inner, calls);
        calls.OnOpened(inner.Descriptor);
    }

    public override bool HasMore => Inner.HasMore;
    public override bool HasBuffered => Inner.HasBuffered;

    private StreamTransport Inner
    {
        get
        {
            if (_hasEnded)
            {
                _calls.OnCalledAfterEnd();
            }

            return _inner;
        }
    }

    public override Outcome Handshake() => Reported(Inner.Handshake());

    public override NegotiatedTls? Negotiated() => Inner.Negotiated();

    public override Outcome Receive(Span<byte> buffer, out int count)
    {
        Outcome outcome = Inner.Receive(buffer, out count);
        _calls.OnReceived(count);
        return Reported(outcome);
    }

    public override Outcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        if (_calls.OnSend())
        {
            count = 0;
            Failure = "ConnectionReset";
            return Outcome.Failed;
        }

        Outcome outcome = Inner.Send(bytes, out count);
        _calls.OnSent(count, bytes.Length);
        return Reported(outcome);
    }

    protected internal override void Release()
    {
        Inner.Release();
        _hasEnded = true;
    }

    private Outcome Reported(Outcome outcome)
    {
        Failure = _inner.Failure;
        return outcome;
    }
}
