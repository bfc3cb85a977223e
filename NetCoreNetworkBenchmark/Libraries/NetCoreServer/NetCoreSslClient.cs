using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;

using SslClient = NetCoreServer.SslClient;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

internal sealed class NetCoreSslClient : SslClient, INetCoreEndpoint
{
    private readonly ClientSetup _setup;
    private readonly NetCoreTls _tls;

    public NetCoreSslClient(ClientSetup setup, StreamSide side, NetCoreTls tls, IConnectObserver observer)
        : base(tls.Context, setup.EndPoint)
    {
        (_setup, _tls) = (setup, tls);
        Peer = new NetCoreClient(side, tls, observer, this, ConnectAsync);
        OptionNoDelay = true;
        OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(setup.Plan);
    }

    public NetCoreClient Peer { get; }

    public long Unsent => BytesPending + BytesSending;

    public override bool Disconnect()
    {
        Peer.StopSending(Socket);
        return base.Disconnect();
    }

    protected override void OnHandshaking() => Peer.OnHandshaking();

    protected override void OnHandshaked()
    {
        if (_tls.Stream is { } stream)
        {
            _setup.Recorder.CountHandshake(DotNetTls.Read(stream.SslProtocol, stream.NegotiatedCipherSuite));
        }

        Peer.OnConnected();
    }

    protected override void OnReceived(byte[] buffer, long offset, long size) => Peer.OnReceived(buffer, offset, size);

    protected override void OnEmpty() => Peer.OnEmpty();

    protected override void OnDisconnected() => Peer.OnDisconnected();

    protected override void OnError(SocketError error) => Peer.OnError(error);
}
