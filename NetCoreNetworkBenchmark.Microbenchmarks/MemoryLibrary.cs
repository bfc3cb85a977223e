namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>The cost of the harness for a round trip and of one copy in each direction: both sides are on one thread, without a network.</summary>
public class MemoryLibrary : IDisposable
{
    private const int Operations = 200_000;

    private readonly RunRecorder _recorder = new();
    private readonly WorkerStatistics _clientWorker;
    private readonly WorkerStatistics _serverWorker;
    private readonly IClientHandler _clientHandler;
    private readonly IServerHandler _serverHandler;
    private readonly (MemoryPeer Client, MemoryPeer Server)[] _connections;
    private readonly int _inFlight;

    public MemoryLibrary()
    {
        RunPlan plan = Sample.Plan;
        var workload = new PingPong();
        _clientWorker = _recorder.AddWorker(recordsLatency: true);
        _serverWorker = _recorder.AddWorker(recordsLatency: false);
        _clientHandler = workload.CreateClientHandler(plan, _recorder);
        _serverHandler = workload.CreateServerHandler(plan, _recorder);
        _inFlight = plan.Clients * plan.ParallelMessages;
        _connections = [.. Enumerable.Range(0, plan.Clients).Select(_ => (CreatePeer(plan), CreatePeer(plan)))];
        foreach ((MemoryPeer client, MemoryPeer server) in _connections)
        {
            _serverHandler.OnConnected(server, _serverWorker);
            _clientHandler.OnConnected(client, _clientWorker);
        }
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public long RoundTrip()
    {
        _recorder.Enter(RunPhase.Measure);
        _clientWorker.ReadClock();
        foreach ((MemoryPeer client, _) in _connections)
        {
            _clientHandler.OnStart(client, _clientWorker);
        }

        for (int left = Operations; left > 0;)
        {
            CarryToServer();
            left = CarryToClients(left);
        }

        return _recorder.Count(RunPhase.Measure, RunPhase.Drain).ClientReceived;
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _recorder.Dispose();
        GC.SuppressFinalize(this);
    }

    private static MemoryPeer CreatePeer(RunPlan plan) => new(plan.ParallelMessages, plan.MessageSize);

    private void CarryToServer()
    {
        _serverWorker.ReadClock();
        foreach ((MemoryPeer client, MemoryPeer server) in _connections)
        {
            while (client.TryTake(out ReadOnlySpan<byte> message))
            {
                _serverHandler.OnMessage(server, message, _serverWorker);
            }
        }
    }

    private int CarryToClients(int left)
    {
        _clientWorker.ReadClock();
        foreach ((MemoryPeer client, MemoryPeer server) in _connections)
        {
            while (server.TryTake(out ReadOnlySpan<byte> message))
            {
                // The messages in flight are the last ones: after the measurement, clients send no more.
                if (left-- == _inFlight)
                {
                    _recorder.Enter(RunPhase.Drain);
                }

                _clientHandler.OnMessage(client, message, _clientWorker);
            }
        }

        return left;
    }
}
