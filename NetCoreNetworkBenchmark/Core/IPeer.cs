namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// The other end of one connection, as a workload sees it. It is used only inside a call of <see cref="IServerHandler"/> or
/// <see cref="IClientHandler"/> for this same peer: that is the rule which makes every library safe, also one that is not
/// thread-safe.
/// </summary>
public interface IPeer
{
    /// <summary>Where the workload keeps what it knows of this peer. The adapter does not look at it.</summary>
    object? State { get; set; }

    /// <summary>Hands one message to the library, which has copied it when this returns.</summary>
    /// <param name="message">The message, from 1 byte to the library's largest.</param>
    /// <returns>False where the library or the system did not take it; the adapter has counted the error by its name.</returns>
    bool Send(ReadOnlySpan<byte> message);

    /// <summary>
    /// Whether more of what was sent still waits than is good, because the other side takes it slower than it comes. <see cref="Send"/> takes
    /// a message all the same; who sends without being asked stops here, and goes on in <c>OnWritable</c>. False where the library does not tell.
    /// </summary>
    bool IsCongested => false;

    /// <summary>
    /// Asks for one call of <c>OnWritable</c> for this peer, soon. The one member that may be called from anywhere, by any thread: it is how
    /// what happened elsewhere reaches a peer. Several times before the call are one; after the close it does nothing.
    /// </summary>
    /// <exception cref="NotSupportedException">The library's adapter does not offer it (<see cref="LibraryInfo.SendsUnasked"/>).</exception>
    void Wake() => throw new NotSupportedException("This library's adapter sends only when it is asked.");

    /// <summary>
    /// Whether this is no client but a group: what is sent to it reaches all its members, and it never sends anything itself. It is a multicast group
    /// that clients have joined (<see cref="ServerSetup.Group"/>), or all clients of a library that has a call for that (<see cref="ServerSetup.SendsToAll"/>).
    /// </summary>
    bool IsGroup => false;

    /// <summary>Messages that one call of <see cref="Send"/> makes the library send: 1, or of a group that the library sends to one by one the number of its clients.</summary>
    int Receivers => 1;

    /// <summary>Closes the connection; the other side sees the close.</summary>
    void Close();
}
