using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// The client side of a workload whose clients open one connection after the other (<see cref="IWorkload.OpensConnections"/>). Each client has one
/// connection at a time. In a closed loop it opens the next one when the last one has ended; in an open loop, when it is due and the last one has ended. The
/// members for peers and messages are not called.
/// </summary>
public interface IConnectionHandler : IClientHandler
{
    /// <summary>
    /// The request that a client sends on each connection, after which it waits for the answer; empty to close the connection as soon as it is established.
    /// </summary>
    ReadOnlyMemory<byte> Request { get; }

    /// <summary>Called when a client can open its next connection. The clock of the statistics has just been read.</summary>
    /// <param name="due">The time at which the connection was due (<see cref="RunRecorder.Clock"/>); the present time in a closed loop.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    /// <returns>
    /// True if the client has to open it. False if no new ones are opened: in a closed loop, it is asked again when the load resumes; in an open loop, the
    /// connection is not opened, because it was not due in the load.
    /// </returns>
    bool OnOpening(long due, WorkerStatistics worker);

    /// <summary>Called when the answer has arrived, or when a connection without a request is established.</summary>
    /// <param name="times">The times of the connection.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnCompleted(in ConnectionTimes times, WorkerStatistics worker);

    /// <summary>Called when a connection that was opened for the load has failed. The client waits for a moment before it opens the next one.</summary>
    /// <param name="due">The time at which the connection was due (<see cref="ConnectionTimes.Due"/>).</param>
    /// <param name="reason">The reason in a few words, for the name of an error.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    void OnFailed(long due, string reason, WorkerStatistics worker);

    void IPeerHandler.OnConnected(IPeer peer, WorkerStatistics worker) => throw NoPeers();

    void IPeerHandler.OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => throw NoPeers();

    void IPeerHandler.OnClosed(IPeer peer, WorkerStatistics worker) => throw NoPeers();

    void IClientHandler.OnStart(IPeer peer, WorkerStatistics worker) => throw NoPeers();

    void IClientHandler.OnDue(IPeer peer, long due, WorkerStatistics worker) => throw NoPeers();

    void IClientHandler.OnTick(IPeer peer, WorkerStatistics worker) => throw NoPeers();

    private static InvalidOperationException NoPeers() => new("A workload that opens connections has no peers at its clients.");
}

/// <summary>The times of one connection, as readings of the run's clock (<see cref="RunRecorder.Clock"/>), in their order.</summary>
/// <param name="Due">When the connection was due; when it began, in a closed loop.</param>
/// <param name="Begun">Just before the call that opens it.</param>
/// <param name="Connected">When the system reported the connection of the transport.</param>
/// <param name="Secured">When the handshake of TLS was complete at the client; <see cref="Connected"/> over <see cref="Protocol.Tcp"/>.</param>
/// <param name="Ended">When the last byte of the answer had arrived; <see cref="Secured"/> without a request.</param>
public readonly record struct ConnectionTimes(long Due, long Begun, long Connected, long Secured, long Ended);
