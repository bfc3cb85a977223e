using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Workloads.Multicasts;

internal sealed class MulticastClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly bool _countsByDue = plan.Rate is not null && recorder.SharesClockOfServer;
    private readonly List<MulticastListener> _listeners = [];

    public int Awaited
    {
        get
        {
            lock (_listeners)
            {
                return _listeners.Count(listener => listener.IsAwaited);
            }
        }
    }

    public IReadOnlyList<long> ReceivedByClient
    {
        get
        {
            lock (_listeners)
            {
                return [.. _listeners.Select(listener => listener.Measured)];
            }
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        lock (_listeners)
        {
            var listener = new MulticastListener(peer, _layout, plan.MessageSize, (uint)_listeners.Count + 1, _countsByDue);
            _listeners.Add(listener);
            peer.State = listener;
        }
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => ListenerOf(peer).Start(worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => ListenerOf(peer).OnMessage(message, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        throw new InvalidOperationException("The schedule is the server's.");

    public void OnTick(IPeer peer, WorkerStatistics worker) => ListenerOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        recorder.CountError(RunRecorder.ServerLost);
        ListenerOf(peer).OnClosed();
    }

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static MulticastListener ListenerOf(IPeer peer) => Unsafe.As<MulticastListener>(peer.State!);
}
