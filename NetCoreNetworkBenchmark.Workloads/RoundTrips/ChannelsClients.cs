namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

internal sealed class ChannelsClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    private readonly IClientHandler _bulk = new PingPong().CreateClientHandler(plan, recorder);
    private readonly ConcurrentDictionary<WorkerStatistics, LatencyHistogram> _latencies = new();
    private readonly ConcurrentQueue<ChannelsClient> _clients = new();

    public int Awaited => _clients.Count(client => client.InFlight > 0);

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions =>
        [(WorkloadFigure.RoundTripOfSmall, LatencyHistogram.Sum(_latencies.Values)), .. _bulk.Distributions];

    public IReadOnlyList<WorkloadFigure> ComputeFigures() =>
    [
        new WorkloadFigure("Small messages without an answer", _clients.Sum(client => client.InFlight), string.Empty, FigureMerge.Sum),
        .. _bulk.ComputeFigures(),
    ];

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        var client = new ChannelsClient(peer, plan.Channels - 1, _latencies.GetOrAdd(worker, _ => new LatencyHistogram()), recorder);
        _clients.Enqueue(client);
        peer.State = client;
        _bulk.OnConnected(client, worker);
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => _bulk.OnStart(ClientOf(peer), worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => _bulk.OnDue(ClientOf(peer), due, worker);

    public void OnTick(IPeer peer, WorkerStatistics worker)
    {
        ChannelsClient client = ClientOf(peer);
        _bulk.OnTick(client, worker);
        client.SendSmall(worker);
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        ChannelsClient client = ClientOf(peer);
        if (SmallMessage.TryRead(message, out SmallMessage small))
        {
            client.OnSmall(small, worker);
        }
        else
        {
            _bulk.OnMessage(client, message, worker);
        }
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        ClientOf(peer).OnClosed();
        _bulk.OnClosed(ClientOf(peer), worker);
    }

    public void OnDiscarded()
    {
        _bulk.OnDiscarded();
        foreach (LatencyHistogram latencies in _latencies.Values)
        {
            latencies.Clear();
        }
    }

    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    private static ChannelsClient ClientOf(IPeer peer) => Unsafe.As<ChannelsClient>(peer.State!);
}

/// <summary>One client, and to the handler of its bulk messages the server.</summary>
internal sealed class ChannelsClient(IPeer server, int channel, LatencyHistogram latencies, RunRecorder recorder) : IPeer
{
    private uint _sent;
    private uint _received;
    private int _inFlight;

    // The time of the first tick whose message the library has not accepted yet; 0 if it has accepted all.
    private long _due;

    public object? State { get; set; }

    /// <summary>The small messages without an answer. From any thread.</summary>
    public int InFlight => Volatile.Read(ref _inFlight);

    public bool Send(ReadOnlySpan<byte> message) => server.Send(message);

    public void Close() => server.Close();

    public void SendSmall(WorkerStatistics worker)
    {
        if (!worker.Current.Sends)
        {
            return;
        }

        worker.ReadClock();
        _due = _due == 0 ? worker.Now : _due;
        Span<byte> message = stackalloc byte[SmallMessage.Size];
        new SmallMessage(_sent + 1, _due).WriteTo(message);
        Volatile.Write(ref _inFlight, _inFlight + 1);
        if (server.SendReliable(message, channel))
        {
            _sent++;
            _due = 0;
        }
        else
        {
            Volatile.Write(ref _inFlight, _inFlight - 1);
        }
    }

    public void OnSmall(SmallMessage message, WorkerStatistics worker)
    {
        if (message.Sequence != _received + 1)
        {
            recorder.CountError("small message lost, repeated or out of order");
        }

        _received = message.Sequence;
        Volatile.Write(ref _inFlight, _inFlight - 1);
        if (worker.IntervalOf(message.Due).Statistics.Phase == RunPhase.Measure && worker.RanSince(message.Due))
        {
            latencies.Record(RunRecorder.ToNanoseconds(worker.Now - message.Due));
        }
    }

    public void OnClosed() => Volatile.Write(ref _inFlight, 0);
}
