namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>The kinds of event of an ENet host, with the values of <c>enet.h</c>.</summary>
public enum ENetEventKind
{
    /// <summary>There is no event.</summary>
    None,

    /// <summary>A peer has connected.</summary>
    Connected,

    /// <summary>A peer has disconnected, or does not answer any more.</summary>
    Disconnected,

    /// <summary>A message has arrived.</summary>
    Received,
}

/// <summary>
/// The calls that differ between ENet and its forks. A struct implements it, so that the generic code that uses it is compiled for each library and calls it
/// directly. All calls come on one thread.
/// </summary>
public interface IENetHost<TPeer>
{
    /// <summary>The descriptor or handle of the host's socket.</summary>
    nint SocketHandle { get; }

    /// <summary>The peer of the current event.</summary>
    TPeer Peer { get; }

    /// <summary>Receives from the socket, sends what is pending, and makes the first event the current one.</summary>
    ENetEventKind Service();

    /// <summary>Makes the next event the current one. Only returns events that <see cref="Service"/> has received.</summary>
    ENetEventKind CheckEvents();

    /// <summary>Gets the message of the current event, which is valid until <see cref="Release"/>.</summary>
    ReadOnlySpan<byte> Read();

    /// <summary>Frees the message of the current event.</summary>
    void Release();

    /// <summary>Queues a message; false if it was not queued.</summary>
    bool Send(TPeer peer, ReadOnlySpan<byte> message);

    /// <summary>Sends what is queued.</summary>
    void Flush();

    /// <summary>Gets the position of a peer in the host's own array of peers, from 0.</summary>
    int IndexOf(TPeer peer);

    /// <summary>Notifies a peer of the end of its connection, and ends it without waiting. There is no event for it.</summary>
    void Disconnect(TPeer peer);

    /// <summary>Destroys the host and closes its socket.</summary>
    void Destroy();
}
