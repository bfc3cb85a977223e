using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// An object with a socket that a <see cref="PollLoop"/> serves. All calls come on the loop's thread, which owns the object from construction to
/// disposal. Disposing closes the connections and the socket; a second call does nothing.
/// </summary>
internal interface IPollable : IDisposable
{
    /// <summary>The socket's descriptor (Unix) or handle (Windows).</summary>
    nint SocketHandle { get; }

    /// <summary>
    /// Called when the socket is readable. The callee may leave unread data: the loop calls again. The loop has read the clock just before the call.
    /// A callee that receives for a client reads the clock again after each receive call that returned data
    /// (<see cref="WorkerStatistics.ReadClock"/>).
    /// </summary>
    void OnReadable();

    /// <summary>Called every <see cref="ClientSetup.TickInterval"/>, for timeouts and retransmission.</summary>
    void OnTick();
}
