using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;

namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>Makes the clients of one thread.</summary>
internal sealed class StreamClients(ClientSetup setup, PollLoop loop)
{
    private readonly StreamThread _thread = new(loop, setup.Plan, setup.Recorder, "client");
    private readonly TlsContext? _tls = setup.Plan.Protocol == Protocol.Ssl ? TlsContext.OfClients(setup) : null;

    /// <summary>Makes a client that begins to connect. The caller adds it to the loop at once.</summary>
    public StreamClient Connect(IConnectObserver observer)
    {
        int descriptor = StreamSocket.Connect(setup.EndPoint, out SocketError error);
        StreamTransport transport = _tls is null ? new PlainTransport(descriptor) : new TlsTransport(descriptor, _tls);
        return new StreamClient(setup, observer, _thread, transport, error);
    }
}
