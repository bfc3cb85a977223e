namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>
/// Something with a socket that a <see cref="PollLoop"/> serves. All calls come on the loop's thread, which owns it from
/// construction to disposal. Disposing closes the connections and the socket; a second time does nothing.
/// </summary>
public interface IPollable : IDisposable
{
    /// <summary>The socket's descriptor (Unix) or handle (Windows).</summary>
    nint SocketHandle { get; }

    /// <summary>
    /// The socket has something to read. It may leave some of it: the loop comes back. The loop has read the clock just before; whoever
    /// receives for a client reads it again after each receive call that brought something (<see cref="WorkerStatistics.ReadClock"/>).
    /// </summary>
    void OnReadable();

    /// <summary>Comes every <see cref="ClientSetup.TickInterval"/>, for timeouts and retransmission.</summary>
    void OnTick();
}
