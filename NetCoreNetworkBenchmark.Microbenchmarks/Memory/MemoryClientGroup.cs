namespace NetCoreNetworkBenchmark.Microbenchmarks.Memory;

/// <summary>One thread serves all clients and the server's ends, so that no data on the path of a message is shared between threads.</summary>
internal sealed class MemoryClientGroup : IClientGroup
{
    // Messages that are taken from a queue at a time: the receive call of this library, after which the clock is read.
    private const int MessagesATurn = 64;

    private readonly ClientSetup _setup;
    private readonly MemoryServer _server;
    private readonly WorkerStatistics _worker;

    // The thread serves both sides, each of which counts its own messages.
    private readonly WorkerStatistics _serverWorker;
    private readonly MessageQueue _toServer;
    private readonly MessageQueue _toClients;

    // The two ends of each client's connection, by the client's number.
    private readonly MemoryPeer[] _clients;
    private readonly MemoryPeer[] _atServer;
    private readonly ConcurrentQueue<Action> _posted = new();
    private readonly SemaphoreSlim _work = new(0);
    private readonly Thread _thread;
    private readonly Action<MemoryPeer> _tick;
    private readonly RequestedDues? _requested;
    private Pacer? _pacer;
    private long _nextTick;
    private volatile bool _stopping;

    public MemoryClientGroup(ClientSetup setup, MemoryServer server)
    {
        _setup = setup;
        _server = server;
        _worker = setup.Recorder.AddWorker(recordsLatency: true);
        _serverWorker = server.Setup.Recorder.AddWorker(recordsLatency: false);
        _requested = setup.Plan.Think > TimeSpan.Zero ? new RequestedDues(_worker, recorder: null, setup.Plan.Think) : null;
        _toServer = new MessageQueue(setup.Plan.MessageSize);
        _toClients = new MessageQueue(setup.Plan.MessageSize);
        _clients = [.. Enumerable.Range(0, setup.Plan.Clients).Select(client => new MemoryPeer(this, client, _toServer))];
        _atServer = [.. Enumerable.Range(0, setup.Plan.Clients).Select(client => new MemoryPeer(this, client, _toClients))];
        _tick = client => setup.Handler.OnTick(client, _worker);
        _thread = new Thread(Run) { Name = "Memory", IsBackground = true };
        if (!server.TryAttach(this))
        {
            throw new BenchmarkException($"The server at {server.EndPoint} has been closed.");
        }

        _thread.Start();
    }

    public void Connect(IConnectObserver observer) => Post(() => ConnectAll(observer));

    public void Start()
    {
        long start = _setup.Recorder.Clock.GetTimestamp();
        Post(() =>
        {
            ForEachOpen(client => _setup.Handler.OnStart(client, _worker));
            if (_setup.Schedule is { } schedule)
            {
                _pacer = new Pacer(schedule, new List<IPacedClient>(_clients), first: 0, step: 1, start, _worker);
            }
        });
    }

    public void Pause() => Post(() => _pacer?.End());

    public void Due(MemoryPeer client, long due)
    {
        if (client.IsOpen)
        {
            _setup.Handler.OnDue(client, due, _worker);
        }
    }

    public void Close(int client)
    {
        if (_clients[client].IsOpen)
        {
            _clients[client].IsOpen = _atServer[client].IsOpen = false;
            _setup.Handler.OnClosed(_clients[client], _worker);
            _server.Setup.Handler.OnClosed(_atServer[client], _serverWorker);
        }
    }

    public Task CloseConnectionsAsync()
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(() =>
        {
            CloseAll();
            done.SetResult();
        });
        return _thread.IsAlive ? Task.WhenAny(done.Task, Task.Run(() => _thread.Join(_setup.Plan.StopDeadline))) : Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        _stopping = true;
        _work.Release();
        if (!await Task.Run(() => _thread.Join(_setup.Plan.StopDeadline)).ConfigureAwait(false))
        {
            throw new BenchmarkException($"The thread of the in-memory clients did not end within {_setup.Plan.StopDeadline.TotalSeconds:0.#} s.");
        }
    }

    private void Post(Action action)
    {
        _posted.Enqueue(action);
        _work.Release();
    }

    private void Run()
    {
        try
        {
            while (!_stopping)
            {
                ServeOnce();
            }

            CloseAll();
        }
        catch (Exception exception)
        {
            _setup.Recorder.ReportFault(exception);
        }
    }

    private void ServeOnce()
    {
        // If messages wait, there is work. If none wait, only a posted action or a tick can add some.
        if (_toServer.Count + _toClients.Count == 0)
        {
            _work.Wait(TimeToWork());
        }

        _worker.ReadClock();
        while (_posted.TryDequeue(out Action? action))
        {
            action();
        }

        if (_pacer?.NextDue <= _worker.Now)
        {
            _pacer.OnDue(_worker.Now);
        }

        if (_requested?.NextDue <= _worker.Now)
        {
            _requested.OnDue(_worker.Now);
        }

        CarryToServer();
        CarryToClients();
        if (_worker.Now >= _nextTick)
        {
            Tick();
        }
    }

    // The wait is in whole milliseconds; for work that is due sooner, the thread spins.
    private TimeSpan TimeToWork()
    {
        if (_pacer is null && _requested is null)
        {
            return ClientSetup.TickInterval;
        }

        long due = Math.Min(_pacer?.NextDue ?? long.MaxValue, _requested?.NextDue ?? long.MaxValue);
        double milliseconds = (due - _setup.Recorder.Clock.GetTimestamp()) * 1000.0 / Stopwatch.Frequency;
        return TimeSpan.FromMilliseconds(Math.Clamp(Math.Floor(milliseconds), 0, ClientSetup.TickInterval.TotalMilliseconds));
    }

    private void ConnectAll(IConnectObserver observer)
    {
        for (int client = 0; client < _clients.Length; client++)
        {
            _clients[client].IsOpen = _atServer[client].IsOpen = true;
            _server.Setup.Handler.OnConnected(_atServer[client], _serverWorker);
            _setup.Handler.OnConnected(_clients[client], _worker);
            observer.Connected();
        }
    }

    private void CarryToServer()
    {
        for (int turn = Math.Min(MessagesATurn, _toServer.Count); turn > 0; turn--)
        {
            ReadOnlySpan<byte> message = _toServer.Dequeue(out int client);
            if (_atServer[client].IsOpen)
            {
                _server.Setup.Handler.OnMessage(_atServer[client], message, _serverWorker);
            }
        }
    }

    private void CarryToClients()
    {
        _worker.ReadClock();
        for (int turn = Math.Min(MessagesATurn, _toClients.Count); turn > 0; turn--)
        {
            ReadOnlySpan<byte> message = _toClients.Dequeue(out int client);
            if (_clients[client].IsOpen)
            {
                _setup.Handler.OnMessage(_clients[client], message, _worker);
            }
        }
    }

    private void Tick()
    {
        _nextTick = _worker.Now + RunRecorder.ToTicks(ClientSetup.TickInterval);
        ForEachOpen(_tick);
    }

    private void ForEachOpen(Action<MemoryPeer> action)
    {
        foreach (MemoryPeer client in _clients)
        {
            if (client.IsOpen)
            {
                action(client);
            }
        }
    }

    private void CloseAll()
    {
        for (int client = 0; client < _clients.Length; client++)
        {
            Close(client);
        }
    }
}

internal sealed class MemoryPeer(MemoryClientGroup group, int client, MessageQueue outgoing) : IPeer, IPacedClient
{
    // False until the handlers know the connection: the thread of its group runs before.
    public bool IsOpen { get; set; }

    public object? State { get; set; }

    public bool Send(ReadOnlySpan<byte> message)
    {
        if (!IsOpen)
        {
            return false;
        }

        outgoing.Enqueue(client, message);
        return true;
    }

    public void Due(long due) => group.Due(this, due);

    public void Close() => group.Close(client);
}
