namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// The clients' side of a workload whose clients open one connection after the other. Each client has one connection at a time. In a closed loop it opens
/// the next one when the last one has ended; in an open loop, when it is due and the last one has ended.
/// </summary>
public interface IConnectionHandler : IClientLoad
{
    /// <summary>
    /// The request that a client sends on each connection, after which it waits for the answer; empty to close the connection as soon as it is established.
    /// </summary>
    ReadOnlyMemory<byte> Request { get; }

    /// <summary>
    /// Called when a client can open its next connection, with the time at which it was due (<see cref="RunRecorder.Clock"/>), which is the present in a closed
    /// loop. The clock of the statistics has just been read. The client opens the connection if the result is true. Otherwise, none is opened: in a closed
    /// loop, it calls again when the load resumes; in an open loop, the connection is left out, because it was not due in the load.
    /// </summary>
    bool OnOpening(long due, WorkerStatistics worker);

    /// <summary>Called when the answer has arrived, or when a connection without a request is established.</summary>
    void OnCompleted(in ConnectionTimes times, WorkerStatistics worker);

    /// <summary>
    /// Called when a connection that was due then has failed, with the reason in a few words. The client waits for a moment before it opens the next one.
    /// </summary>
    void OnFailed(long due, string reason, WorkerStatistics worker);
}

/// <summary>The times of one connection, as readings of the run's clock (<see cref="RunRecorder.Clock"/>), in their order.</summary>
/// <param name="Due">When the connection was due; when it began, in a closed loop.</param>
/// <param name="Begun">Just before the call that opens it.</param>
/// <param name="Connected">When the system reported the connection of the transport.</param>
/// <param name="Secured">When the handshake of TLS was complete at the client; <see cref="Connected"/> over <see cref="Protocol.Tcp"/>.</param>
/// <param name="Ended">When the last byte of the answer had arrived; <see cref="Secured"/> without a request.</param>
public readonly record struct ConnectionTimes(long Due, long Begun, long Connected, long Secured, long Ended);
