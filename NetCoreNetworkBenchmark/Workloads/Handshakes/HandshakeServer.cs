namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

// If the clients send no request, the answer is empty, and each connection counts when it is established.
internal sealed class HandshakeServer(byte[] answer) : IServerHandler
{
    public void OnConnected(IPeer peer, WorkerStatistics worker) => worker.Current.Counters.ServerReceived += answer.Length == 0 ? 1 : 0;

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        ref MessageCounters counters = ref worker.Current.Counters;
        counters.ServerReceived++;
        if (peer.Send(answer))
        {
            counters.ServerSent++;
        }

        peer.Close();
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        // A client may close as soon as it has its answer.
    }
}
