namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>The single thread of the Memory library makes all calls. Advancing the phase makes the messages then in flight the last ones.</summary>
internal sealed class CountedRoundTrips(IClientHandler clients, RunRecorder recorder, int inFlight) : IClientHandler, IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);

    private readonly SemaphoreSlim _done = new(0);
    private int _left;

    public void Make(int roundTrips, IClientGroup group)
    {
        _left = roundTrips;
        group.Start();
        if (!_done.Wait(s_deadline))
        {
            throw new TimeoutException($"Of {roundTrips} round trips in memory {_left} were not made within {s_deadline.TotalSeconds} s.");
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker) => clients.OnConnected(peer, worker);

    public void OnStart(IPeer peer, WorkerStatistics worker)
    {
        // All starts come together. If the phase changed before them, a tick could send first.
        if (worker.Current.Phase != RunPhase.Measure)
        {
            recorder.Enter(RunPhase.Measure);
        }

        clients.OnStart(peer, worker);
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => clients.OnDue(peer, due, worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        _left--;
        if (_left == inFlight - 1)
        {
            recorder.Enter(RunPhase.Drain);
        }

        clients.OnMessage(peer, message, worker);
        if (_left == 0)
        {
            _done.Release();
        }
    }

    public void OnTick(IPeer peer, WorkerStatistics worker) => clients.OnTick(peer, worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker) => clients.OnClosed(peer, worker);

    public void Dispose() => _done.Dispose();
}
