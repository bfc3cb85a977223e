using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

using TcpClient = NetCoreServer.TcpClient;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

internal sealed class NetCoreTcpClient : TcpClient, INetCoreEndpoint
{
    public NetCoreTcpClient(ClientSetup setup, StreamSide side, IConnectObserver observer)
        : base(setup.EndPoint)
    {
        Peer = new NetCoreClient(side, tls: null, observer, this, ConnectAsync);
        OptionNoDelay = true;
        OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(setup.Plan);
    }

    public NetCoreClient Peer { get; }

    public long Unsent => BytesPending + BytesSending;

    protected override void OnConnected() => Peer.OnConnected();

    protected override void OnReceived(byte[] buffer, long offset, long size) => Peer.OnReceived(buffer, offset, size);

    protected override void OnEmpty() => Peer.OnEmpty();

    protected override void OnDisconnected() => Peer.OnDisconnected();

    protected override void OnError(SocketError error) => Peer.OnError(error);
}
