namespace NetCoreNetworkBenchmark.Core;

/// <summary>What a workload does at a client; a peer is the server as that client sees it.</summary>
public interface IClientHandler : IPeerHandler
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

    /// <summary>All clients have connected and the load begins. Before this a client sends nothing.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnStart(IPeer peer, WorkerStatistics worker);

    /// <summary>
    /// A message of this client is due, by <see cref="ClientSetup.Schedule"/>; in an open loop only. It comes as soon after that as
    /// the thread can, once for each message, with the clock of the statistics just read.
    /// </summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="due">When the message was due (<see cref="RunRecorder.Clock"/>).</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnDue(IPeer peer, long due, WorkerStatistics worker);

    /// <summary>Comes every <see cref="ClientSetup.TickInterval"/> or a little later, for deadlines that no message would announce.</summary>
    /// <param name="peer">The server, as this client sees it.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnTick(IPeer peer, WorkerStatistics worker);
}
