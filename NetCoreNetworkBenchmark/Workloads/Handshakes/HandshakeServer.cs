using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

/// <summary>Answers the one request of each connection, and closes the connection.</summary>
internal sealed class HandshakeServer(byte[] answer) : IServerHandler
{
    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        // The server keeps no state of its connections.
    }

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
