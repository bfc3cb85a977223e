namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

// The library's own Multicast sends, with one call per message. The group is congested when its slowest client is: nothing else bounds the queues.
internal sealed class NetCoreGroup : IPeer, IThreadPoolWorkItem
{
    private readonly ServerSetup _setup;
    private readonly Func<ReadOnlySpan<byte>, bool> _multicast;
    private readonly Outbox _frame;
    private readonly Lock _calls = new();
    private readonly Lock _joining = new();
    private volatile INetCoreEndpoint[] _members = [];
    private volatile bool _sawCongestion;
    private int _sentInTurn;
    private int _woken;

    private NetCoreGroup(ServerSetup setup, Func<ReadOnlySpan<byte>, bool> multicast) =>
        (_setup, _multicast, _frame) = (setup, multicast, new Outbox(setup.Plan));

    public object? State { get; set; }

    public bool IsGroup => true;

    public int Receivers => Math.Max(1, _members.Length);

    public bool IsCongested
    {
        get
        {
            bool congested = _sentInTurn >= SendRoundRobin.Budget || AnyIsFull();
            _sawCongestion |= congested;
            return congested;
        }
    }

    public static NetCoreGroup? For(ServerSetup setup, Func<ReadOnlySpan<byte>, bool> multicast)
    {
        if (!setup.SendsToAll)
        {
            return null;
        }

        var group = new NetCoreGroup(setup, multicast);
        setup.Handler.OnConnected(group, setup.Recorder.ForCurrentThread());
        return group;
    }

    /// <summary>A connection that never sends receives the messages too, but is not waited for.</summary>
    public void Join(INetCoreEndpoint member)
    {
        lock (_joining)
        {
            _members = [.. _members, member];
        }
    }

    public void Leave(INetCoreEndpoint member)
    {
        lock (_joining)
        {
            _members = [.. _members.Where(endpoint => endpoint != member)];
        }

        OnAccepted();
    }

    public void OnAccepted()
    {
        if (_sawCongestion)
        {
            Wake();
        }
    }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (!_frame.TryAdd(message))
        {
            return false;
        }

        _sentInTurn++;
        bool isTaken = _multicast(_frame.Next.Span);
        _frame.Clear();
        return isTaken;
    }

    public void Wake()
    {
        if (Interlocked.Exchange(ref _woken, 1) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    public void Close() => throw new NotSupportedException("A group ends with its server.");

    void IThreadPoolWorkItem.Execute() => _setup.Recorder.Guard(this, static group => group.TakeTurn());

    private void TakeTurn()
    {
        lock (_calls)
        {
            // Before the call: a request within it then leads to another call.
            Interlocked.Exchange(ref _woken, 0);
            (_sawCongestion, _sentInTurn) = (false, 0);
            _setup.Handler.OnWritable(this, _setup.Recorder.ForCurrentThread());
            if (_sawCongestion)
            {
                // Before the check: a client that accepts more after it then sees that the workload waits.
                Interlocked.MemoryBarrier();
                if (!AnyIsFull())
                {
                    Wake();
                }
            }
        }
    }

    private bool AnyIsFull()
    {
        foreach (INetCoreEndpoint member in _members)
        {
            if (member.Unsent >= NetCorePeer.MaxUnsent)
            {
                return true;
            }
        }

        return false;
    }
}
