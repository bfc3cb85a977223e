namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>The clients' side of a workload, as the run sees it: an <see cref="IClientHandler"/> or an <see cref="IConnectionHandler"/>.</summary>
public interface IClientLoad
{
    /// <summary>
    /// The number of clients that wait for something other than the answer to a message, such as the end of a stream that they requested. The run drains until
    /// there are none. Read from any thread.
    /// </summary>
    int Awaited => 0;

    /// <summary>
    /// The number of messages that each client received within the measurement, in the order of the clients' numbers from 1; null if the
    /// workload does not count it, so that the result has no fairness. Read from any thread, after the run has drained.
    /// </summary>
    IReadOnlyList<long>? ReceivedByClient => null;

    /// <summary>
    /// Whether all clients are done. Ends a load that ends by itself (<see cref="IWorkload.EndsWhenDone"/>). Read from any thread.
    /// </summary>
    bool IsDone => false;

    /// <summary>
    /// Computes the workload's own figures of the measurement, which a report lists by their names. Called once, after the run has drained, and may take a
    /// moment, such as to measure a baseline.
    /// </summary>
    IReadOnlyList<WorkloadFigure> ComputeFigures() => [];

    /// <summary>
    /// The parts of the measured latencies, in the order in which they follow each other, such as the handshake of a connection; empty if there are none.
    /// Read after the run has drained.
    /// </summary>
    IReadOnlyList<(string Name, LatencyHistogram Histogram)> Parts => [];

    /// <summary>
    /// The distributions of other times of the measurement, such as that of a burst, which contains the latencies of many messages; empty if there are none.
    /// Each has a unique name. Read after the run has drained.
    /// </summary>
    IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions => [];

    /// <summary>
    /// Called when the figures so far are discarded, because slices that were measured turn out to be a part of the warm-up: the load forgets its own times
    /// and counts. No message is in flight or is being sent. Not called on a thread of the clients.
    /// </summary>
    void OnDiscarded()
    {
        // Most loads have no figures of their own.
    }

    /// <summary>Called each time before the load begins, while no message is being sent. Not called on a thread of the clients.</summary>
    void OnStarting()
    {
        // Most loads keep nothing of an earlier start.
    }
}

/// <summary>The clients' side of a workload that exchanges messages. A peer is the server, as seen by one client.</summary>
public interface IClientHandler : IPeerHandler, IClientLoad
{
    /// <summary>
    /// Called when all clients have connected and the load begins, and again when it resumes after a pause. A client sends nothing before this call. At a
    /// pause, the run enters <see cref="RunPhase.Drain"/>, in which nothing new is sent, and waits until nothing is in flight. A message that was not
    /// answered within the deadline of the drain may still be in flight when the load resumes.
    /// </summary>
    void OnStart(IPeer peer, WorkerStatistics worker);

    /// <summary>
    /// Called when a message of this client is due by <see cref="ClientSetup.Schedule"/> (<see cref="RunRecorder.Clock"/>) in an open loop, or as the handler
    /// requested (<see cref="WorkerStatistics.RequestDue"/>) in a closed one. It is called once for each message, as soon after the due time as the thread
    /// can. The clock of the statistics has just been read.
    /// </summary>
    void OnDue(IPeer peer, long due, WorkerStatistics worker);

    /// <summary>Called every <see cref="ClientSetup.TickInterval"/> or a little later, for deadlines that no message announces.</summary>
    void OnTick(IPeer peer, WorkerStatistics worker);
}

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

    /// <summary>Whether an answer of any status counts; otherwise, only one with the status 200 (RFC 9110).</summary>
    bool AcceptsAnyStatus => false;

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
