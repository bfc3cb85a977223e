using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

using SslClient = NetCoreServer.SslClient;
using SslContext = NetCoreServer.SslContext;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>One client over TLS.</summary>
internal sealed class NetCoreSslClient : SslClient, INetCoreEndpoint
{
    private readonly ClientSetup _setup;
    private readonly NetCoreTls _tls;

    public NetCoreSslClient(ClientSetup setup, StreamSide side, DotNetTls tls, IConnectObserver observer)
        : this(setup, side, NetCoreTls.ForClient(setup, tls), observer)
    {
    }

    private NetCoreSslClient(ClientSetup setup, StreamSide side, (NetCoreTls Tls, SslContext Context) tls, IConnectObserver observer)
        : base(tls.Context, setup.EndPoint)
    {
        (_setup, _tls) = (setup, tls.Tls);
        Peer = new NetCoreClient(setup, side, tls.Tls, observer, this, ConnectAsync);
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
