using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Makes the clients of one thread.</summary>
/// <param name="setup">Where to connect and whom to call.</param>
/// <param name="loop">The thread's loop.</param>
/// <param name="carry">Makes the transport of a socket that connects.</param>
internal sealed class StreamClients(ClientSetup setup, PollLoop loop, Func<int, StreamTransport> carry)
{
    private readonly StreamThread _thread = new(loop, setup.Plan, setup.Recorder, isServer: false);

    /// <summary>Makes a client that begins to connect. The caller adds it to the loop at once.</summary>
    public StreamClient Connect(IConnectObserver observer)
    {
        int descriptor = StreamSocket.Connect(setup.EndPoint, out SocketError error);
        return new StreamClient(setup, observer, _thread, carry(descriptor), error);
    }
}
