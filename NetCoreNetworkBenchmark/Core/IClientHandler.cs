namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// What a workload does at a client. Calls for one peer are serial; calls for different peers may come at the same time from
/// different threads, each with its own <see cref="WorkerStatistics"/>.
/// </summary>
public interface IClientHandler
{
    /// <summary>
    /// Clients that wait for something other than the answer to a message, such as the end of a stream that they asked to stop: the run
    /// drains until there are none. Asked from any thread.
    /// </summary>
    int Awaited => 0;

    /// <summary>
    /// Messages that each client received within the measurement, by their numbers from 1; null where the test does not tell. Asked from any
    /// thread, when the run has drained.
    /// </summary>
    IReadOnlyList<long>? ReceivedByClient => null;

    /// <summary>This client has connected. It does not send yet: <see cref="OnStart"/> tells when.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnConnected(IPeer peer, WorkerStatistics worker);

    /// <summary>All clients have connected and the load begins.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnStart(IPeer peer, WorkerStatistics worker);

    /// <summary>A message has arrived.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="message">The message; it is valid during the call only.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker);

    /// <summary>
    /// A message of this client is due, by <see cref="ClientSetup.Schedule"/>; in an open loop only. It comes as soon after that as
    /// the thread can, once for each message, with the clock of the statistics just read.
    /// </summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="due">When the message was due (<see cref="System.Diagnostics.Stopwatch.GetTimestamp"/>).</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnDue(IPeer peer, long due, WorkerStatistics worker);

    /// <summary>Comes every <see cref="ClientSetup.TickInterval"/> or a little later, for deadlines that no message would announce.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnTick(IPeer peer, WorkerStatistics worker);

    /// <summary>
    /// The peer takes more: it is no longer congested after <see cref="IPeer.IsCongested"/> was true within a call for it, or
    /// <see cref="IPeer.Wake"/> asked for this call. Never within another call for the same peer.
    /// </summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        // Who sends only what it is asked for has nothing to add.
    }

    /// <summary>The connection is gone, closed by either side or given up by the library.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnClosed(IPeer peer, WorkerStatistics worker);
}
