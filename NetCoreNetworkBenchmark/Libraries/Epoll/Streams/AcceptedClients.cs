using NetCoreNetworkBenchmark.AdapterKit.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Serves connections on one thread of a server.</summary>
/// <param name="thread">The thread.</param>
/// <param name="bound">The limit of the connections, which each of them leaves when it ends.</param>
internal sealed class AcceptedClients(StreamThread thread, ConnectionBound bound)
{
    /// <summary>Serves a connection until it ends. On the thread only.</summary>
    /// <param name="descriptor">The accepted socket, which has a place within the limit.</param>
    public void Serve(int descriptor)
    {
        var peer = new AcceptedClient(thread, thread.Carry(descriptor), bound);
        thread.Loop.Add(peer);

        // Before any bytes have arrived: a plain stream is open at once.
        peer.Proceed();
    }
}
