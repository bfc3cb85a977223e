namespace NetCoreNetworkBenchmark.Workloads.ServerPush;

internal abstract class PushClients(RunRecorder recorder) : IClientHandler
{
    private readonly ConcurrentQueue<PushListener> _listeners = new();

    public int Awaited => _listeners.Count(listener => listener.IsAwaited);

    public IReadOnlyList<long> ReceivedByClient => [.. _listeners.Select(listener => listener.Measured)];

    public virtual IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions => [];

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        // In the order of their numbers.
        lock (_listeners)
        {
            PushListener listener = CreateListener(peer, (uint)_listeners.Count + 1);
            _listeners.Enqueue(listener);
            peer.State = listener;
        }
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => ListenerOf(peer).Start(worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => ListenerOf(peer).OnMessage(message, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => ListenerOf(peer).OnDue(due, worker);

    public void OnTick(IPeer peer, WorkerStatistics worker) => ListenerOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        recorder.CountDisconnect(RunRecorder.ServerLost);
        ListenerOf(peer).OnClosed();
    }

    protected RunRecorder Recorder => recorder;

    public virtual void OnDiscarded()
    {
        foreach (PushListener listener in _listeners)
        {
            listener.OnDiscarded();
        }
    }

    /// <param name="number">From 1.</param>
    protected abstract PushListener CreateListener(IPeer peer, uint number);

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static PushListener ListenerOf(IPeer peer) => Unsafe.As<PushListener>(peer.State!);
}
