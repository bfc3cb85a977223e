namespace NetCoreNetworkBenchmark.Workloads;

internal sealed class PingPongServer(RunRecorder recorder) : IServerHandler
{
    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        // The echo keeps no state of its clients.
    }

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        ref MessageCounters counters = ref worker.Current.Counters;
        counters.ServerReceived++;
        if (peer.Send(message))
        {
            counters.ServerSent++;
        }
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => recorder.CountDisconnect(RunRecorder.PeerLost);
}
