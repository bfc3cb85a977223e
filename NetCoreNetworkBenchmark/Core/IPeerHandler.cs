namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// What a workload does at either side of a connection. Calls for one peer are serial; calls for different peers may come at the same time
/// from different threads, each with its own <see cref="WorkerStatistics"/>.
/// </summary>
public interface IPeerHandler
{
    /// <summary>The other side has connected, or this one has connected to it. It is the first call for a peer.</summary>
    /// <param name="peer">The other side.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnConnected(IPeer peer, WorkerStatistics worker);

    /// <summary>A message has arrived.</summary>
    /// <param name="peer">The side that sent it.</param>
    /// <param name="message">The message; it is valid during the call only.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker);

    /// <summary>
    /// The peer takes more: it is no longer congested after <see cref="IPeer.IsCongested"/> was true within a call for it, or
    /// <see cref="IPeer.Wake"/> asked for this call. Never within another call for the same peer. Between two such calls the adapter looks for
    /// messages of this peer too, so that who never stops sending still sees what it is told.
    /// </summary>
    /// <param name="peer">The other side.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        // Who sends only what it is asked for has nothing to add.
    }

    /// <summary>The connection is gone, closed by either side or given up by the library. It is the last call for a peer.</summary>
    /// <param name="peer">The other side.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnClosed(IPeer peer, WorkerStatistics worker);
}
