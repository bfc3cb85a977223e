using System.Diagnostics.CodeAnalysis;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

// Memory of the connections of one thread, so that each of thousands has almost none of its own. The outbox is empty again at the end of each turn.
internal sealed class StreamThread
{
    private const int BufferSize = 64 * 1024;

    // Outboxes of connections that were slow for a while are kept for the next ones, so that a new one is not created each time.
    private const int MaxSpareOutboxes = 64;

    private readonly byte[] _memory = GC.AllocateUninitializedArray<byte>(BufferSize, pinned: true);
    private readonly Stack<Outbox> _spare = new();

    public StreamThread(PollLoop loop, StreamSide side, Func<int, StreamTransport> createTransport)
    {
        (Loop, Side, CreateTransport) = (loop, side, createTransport);
        Woken = new LoopQueue<StreamConnection>(loop, connection => connection.OnWoken());
        Outbox = new Outbox(side.Plan, side.SendsEachMessage);
        Sources = new SourceAddresses(side.Recorder);
    }

    public PollLoop Loop { get; }

    public WorkerStatistics Worker => Loop.Worker;

    public StreamSide Side { get; }

    public SourceAddresses Sources { get; }

    /// <summary>Valid for one turn. Its bytes are still in the core's cache when they are answered.</summary>
    public Span<byte> Buffer => _memory;

    /// <summary>The messages that were sent by the connection whose turn it is and that the system has not accepted yet.</summary>
    public Outbox Outbox { get; private set; }

    public Func<int, StreamTransport> CreateTransport { get; }

    /// <summary>The connections that requested a call without a report of readiness, each once until that call.</summary>
    public LoopQueue<StreamConnection> Woken { get; }

    public void Watch(IPollable connection, ref Interest watched, Interest interest)
    {
        if (watched != interest)
        {
            watched = interest;
            Loop.Watch(connection, interest);
        }
    }

    public void Serve(int descriptor, ConnectionLimit limit)
    {
        var connection = new StreamConnection(this, CreateTransport(descriptor), limit: limit);
        Loop.Add(connection);

        // Before any bytes have arrived: a plain stream is open at once.
        connection.Proceed();
    }

    public Outbox LeaveOutbox()
    {
        Outbox left = Outbox;
        Outbox = _spare.TryPop(out Outbox? spare) ? spare : new Outbox(Side.Plan, Side.SendsEachMessage);
        return left;
    }

    public void GiveBack(Outbox outbox)
    {
        if (_spare.Count < MaxSpareOutboxes)
        {
            _spare.Push(outbox);
        }
    }
}

// Many items at once wake the loop once. Other threads write here, so these fields do not lie beside those that the thread reads for each message.
internal sealed class LoopQueue<T>
{
    private readonly PollLoop _loop;
    private readonly Action<T> _serve;
    private readonly int _maxPerTurn;
    private readonly ConcurrentQueue<T> _waiting = new();
    private readonly Action _run;
    private int _isPosted;

    public LoopQueue(PollLoop loop, Action<T> serve, int maxPerTurn = int.MaxValue)
    {
        (_loop, _serve, _maxPerTurn) = (loop, serve, maxPerTurn);
        _run = Run;
    }

    public void Add(T item)
    {
        _waiting.Enqueue(item);
        Post();
    }

    /// <summary>Takes back an item that the loop has not served and, because it has ended, will not serve.</summary>
    public bool TryTakeBack([MaybeNullWhen(false)] out T item) => _waiting.TryDequeue(out item);

    private void Post()
    {
        if (Interlocked.Exchange(ref _isPosted, 1) == 0)
        {
            _loop.Post(_run);
        }
    }

    private void Run()
    {
        // From here on, a new item posts again. Items that are added by the calls themselves are therefore served after the sockets.
        Interlocked.Exchange(ref _isPosted, 0);
        int waiting = _waiting.Count;
        for (int count = Math.Min(waiting, _maxPerTurn); count > 0 && _waiting.TryDequeue(out T? item); count--)
        {
            _serve(item);
        }

        if (waiting > _maxPerTurn)
        {
            Post();
        }
    }
}

// One address has about 28,000 ports (ip_local_port_range) to one server. Over the loopback, the next address of 127.0.0.0/8 follows when they run short.
internal sealed class SourceAddresses(RunRecorder recorder)
{
    private const int MaxAddresses = 200;
    private int _moved;

    public IPAddress? Current { get; private set; }

    public bool TryMoveOn(IPEndPoint server)
    {
        if (server.AddressFamily != AddressFamily.InterNetwork || !IPAddress.IsLoopback(server.Address) || _moved == MaxAddresses)
        {
            return false;
        }

        _moved++;
        Current = new IPAddress([127, 0, 1, (byte)_moved]);
        recorder.Remark("The ports of one address ran short, so the clients opened connections from several addresses of 127.0.0.0/8.");
        return true;
    }
}
