using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Callbacks;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

using SslClient = NetCoreServer.SslClient;
using SslContext = NetCoreServer.SslContext;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>One client over TLS.</summary>
internal sealed class NetCoreSslClient : SslClient, ICallbackClient, INetCoreEndpoint
{
    private readonly ClientSetup _setup;
    private readonly NetCoreTls _tls;
    private readonly NetCoreClientCalls _calls;
    private readonly Lock _closing = new();
    private bool _hasStream;
    private bool _isClosed;

    public NetCoreSslClient(ClientSetup setup, DotNetTls tls, IConnectObserver observer)
        : this(setup, NetCoreTls.ForClient(setup, tls), observer)
    {
    }

    private NetCoreSslClient(ClientSetup setup, (NetCoreTls Tls, SslContext Context) tls, IConnectObserver observer)
        : base(tls.Context, setup.EndPoint)
    {
        _setup = setup;
        _tls = tls.Tls;
        _calls = new NetCoreClientCalls(setup, observer, this);
        OptionNoDelay = true;
        OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(setup.Plan);
    }

    public long Unsent => BytesPending + BytesSending;

    void ICallbackClient.Connect() => ConnectAsync();

    public void Start() => _calls.Start();

    public void Due(long due) => _calls.Due(due);

    public void Tick() => _calls.Tick();

    public void Close()
    {
        lock (_closing)
        {
            _isClosed = true;
            if (!_hasStream)
            {
                // The library cannot disconnect before there is a TLS stream: it would dispose a stream that does not exist.
                return;
            }
        }

        Disconnect();
    }

    // From here on, a failure is one of TLS.
    protected override void OnConnected() => _calls.IsHandshaking = true;

    protected override void OnHandshaking()
    {
        lock (_closing)
        {
            _hasStream = true;
            if (!_isClosed)
            {
                return;
            }
        }

        Disconnect();
    }

    protected override void OnHandshaked()
    {
        if (_tls.Stream is { } stream)
        {
            _setup.Recorder.CountHandshake(DotNetTls.Read(stream.SslProtocol, stream.NegotiatedCipherSuite));
        }

        _calls.OnConnected();
    }

    protected override void OnReceived(byte[] buffer, long offset, long size) => _calls.Peer.OnReceived(buffer.AsSpan((int)offset, (int)size));

    protected override void OnEmpty() => _calls.Peer.OnEmpty();

    protected override void OnDisconnected()
    {
        if (_calls.IsHandshaking)
        {
            _calls.Fail($"the TLS handshake failed: {_tls.Explain()}");
        }

        _calls.OnDisconnected();
    }

    protected override void OnError(SocketError error) => _calls.OnError(error);
}
