namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// The part of a workload that is common to both sides of a connection. Calls for one peer are serial. Calls for different peers may come at the same
/// time from different threads, each with its own <see cref="WorkerStatistics"/>.
/// </summary>
public interface IPeerHandler
{
    /// <summary>Called when the other side has connected, or when this side has connected to it. It is the first call for a peer.</summary>
    void OnConnected(IPeer peer, WorkerStatistics worker);

    /// <summary>Called when a message of the peer has arrived, which is valid during the call only.</summary>
    void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker);

    /// <summary>
    /// Called when the peer accepts more data: either it is no longer congested after <see cref="IPeer.IsCongested"/> was true within a call for it,
    /// or <see cref="IPeer.Wake"/> requested this call. Never called within another call for the same peer. Between two such calls the adapter also
    /// looks for messages of this peer, so that a workload that never stops sending still receives them.
    /// </summary>
    void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        // A workload that sends only on request has nothing to add.
    }

    /// <summary>Called when the connection is gone: either side closed it, or the library gave it up. It is the last call for a peer.</summary>
    void OnClosed(IPeer peer, WorkerStatistics worker);
}
