namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>
/// The other end of one connection, as seen by a workload. It is used only inside a call of <see cref="IServerHandler"/> or
/// <see cref="IClientHandler"/> for this same peer. This rule makes every library safe, including one that is not thread-safe.
/// </summary>
public interface IPeer
{
    /// <summary>The state that the workload keeps for this peer. The adapter does not read it.</summary>
    object? State { get; set; }

    /// <summary>Hands one message to the library. The library has copied it when this method returns.</summary>
    /// <param name="message">The message, from 1 byte to the library's largest.</param>
    /// <returns>False if the library or the system did not accept the message; the adapter has counted the error by its name.</returns>
    bool Send(ReadOnlySpan<byte> message);

    /// <summary>
    /// Hands one message to the library, to be delivered once and in the order of these messages, whatever the delivery of the plan is. A library that offers
    /// <see cref="Transmission.Reliable"/> and another delivery over the same transport implements it; over a stream it is <see cref="Send"/>.
    /// </summary>
    /// <param name="message">The message, as for <see cref="Send"/>.</param>
    /// <returns>As for <see cref="Send"/>.</returns>
    bool SendReliable(ReadOnlySpan<byte> message) => Send(message);

    /// <summary>
    /// As <see cref="SendReliable(ReadOnlySpan{byte})"/>, on one of the plan's channels (<see cref="RunPlan.Channels"/>): a message does not wait for those of
    /// another channel. A library with several channels (<see cref="LibraryInfo.Channels"/>) implements it.
    /// </summary>
    /// <param name="message">The message, as for <see cref="Send"/>.</param>
    /// <param name="channel">The number of the channel, from 0, which is that of the other messages.</param>
    /// <returns>As for <see cref="Send"/>.</returns>
    /// <exception cref="NotSupportedException">The library has one channel.</exception>
    bool SendReliable(ReadOnlySpan<byte> message, int channel) =>
        channel == 0 ? SendReliable(message) : throw new NotSupportedException("This adapter has one channel.");

    /// <summary>
    /// Whether more sent data waits than is good, because the other side accepts it more slowly than it is sent. <see cref="Send"/> still accepts a
    /// message. A workload that pushes stops here and continues in <c>OnWritable</c>. False if the library does not report it.
    /// </summary>
    bool IsCongested => false;

    /// <summary>
    /// Requests one call of <c>OnWritable</c> for this peer, soon. This is the only member that may be called from anywhere, by any thread: events
    /// from elsewhere reach a peer through it. Several requests before the call count as one. After the close it does nothing.
    /// </summary>
    /// <exception cref="NotSupportedException">The library's adapter does not support it (<see cref="LibraryInfo.ServerPushTransports"/>).</exception>
    void Wake() => throw new NotSupportedException("This adapter has no server push.");

    /// <summary>
    /// Whether this peer is a group and not a single client. A message sent to a group reaches all its members, and the group never sends anything
    /// itself. It is a multicast group that clients have joined (<see cref="ServerSetup.Group"/>), or all clients of a library that has a call for
    /// that (<see cref="ServerSetup.SendsToAll"/>).
    /// </summary>
    bool IsGroup => false;

    /// <summary>
    /// The number of messages that one call of <see cref="Send"/> makes the library send: 1, or the number of clients for a group that the library
    /// sends to one by one.
    /// </summary>
    int Receivers => 1;

    /// <summary>Closes the connection. The other side is notified of the close.</summary>
    void Close();
}

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

/// <summary>
/// The server side of a workload. A peer is one of its clients, or its multicast group (<see cref="IPeer.IsGroup"/>), which connects before any
/// client. A handler that is <see cref="IAsyncDisposable"/> is disposed before its server.
/// </summary>
public interface IServerHandler : IPeerHandler;
