using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Contracts;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Creates the clients of one thread.</summary>
/// <param name="setup">The setup, with the address of the server and the handler that is called.</param>
/// <param name="loop">The thread's loop.</param>
/// <param name="carry">Creates the transport of a socket that connects.</param>
internal sealed class StreamClients(ClientSetup setup, PollLoop loop, Func<int, StreamTransport> carry)
{
    private readonly StreamThread _thread = new(loop, setup.Plan, setup.Recorder, isServer: false);

    /// <summary>Creates a client that begins to connect. The caller adds it to the loop at once.</summary>
    public StreamClient Connect(IConnectObserver observer)
    {
        int descriptor = StreamSocket.Connect(setup.EndPoint, out SocketError error);
        return new StreamClient(setup, observer, _thread, carry(descriptor), error);
    }
}
