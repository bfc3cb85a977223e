using SslClient = NetCoreServer.SslClient;
using SslServer = NetCoreServer.SslServer;
using SslSession = NetCoreServer.SslSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

internal sealed class NetCoreSslServer : SslServer, IBenchmarkServer
{
    private readonly NetCoreSessions _sessions;

    private readonly NetCoreTls _tls;

    public NetCoreSslServer(ServerSetup setup)
        : this(setup, new NetCoreTls(setup))
    {
    }

    private NetCoreSslServer(ServerSetup setup, NetCoreTls tls)
        : base(tls.Context, setup.EndPoint)
    {
        _tls = tls;
        OptionNoDelay = true;
        _sessions = new NetCoreSessions(setup, Multicast);
    }

    IPEndPoint IBenchmarkServer.EndPoint => (IPEndPoint)Endpoint;

    public ValueTask DisposeAsync() => NetCoreSessions.EndAsync(IsStarted, Stop);

    protected override SslSession CreateSession() => new Session(this);

    protected override void OnError(SocketError error) => _sessions.OnError(error);

    private sealed class Session : SslSession, INetCoreEndpoint
    {
        private readonly NetCoreSession _peer;
        private readonly NetCoreTls _tls;
        private readonly TimeSpan _longestHandshake;
        private Timer? _deadline;

        public Session(NetCoreSslServer server)
            : base(server)
        {
            _peer = new NetCoreSession(server._sessions, this);
            _tls = server._tls;
            OptionSendBufferLimit = NetCoreServerBenchmark.MaxUnsent(server._sessions.Side.Plan);
            _longestHandshake = server._sessions.Side.Plan.ConnectDeadline;
        }

        public long Unsent => BytesPending + BytesSending;

        public override bool Disconnect()
        {
            _peer.StopSending(Socket);
            return base.Disconnect();
        }

        protected override void OnConnecting() => _peer.OnConnecting();

        // The library sets no limit to the duration of a handshake.
        protected override void OnHandshaking()
        {
            _tls.ShowChain(this);
            if (_peer.OnHandshaking())
            {
                _deadline = new Timer(static peer => ((NetCoreSession)peer!).GiveUp(), _peer, _longestHandshake, Timeout.InfiniteTimeSpan);
            }
        }

        protected override void OnHandshaked()
        {
            _deadline?.Dispose();
            _peer.OnConnected();
        }

        protected override void OnReceived(byte[] buffer, long offset, long size) => _peer.OnReceived(buffer, offset, size);

        protected override void OnEmpty() => _peer.OnEmpty();

        protected override void OnDisconnecting()
        {
            if (IsHandshaked)
            {
                _peer.OnDisconnecting();
            }
        }

        protected override void OnDisconnected()
        {
            _deadline?.Dispose();
            _peer.OnDisconnected();
        }

        protected override void OnError(SocketError error) => _peer.OnError(error);
    }
}

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
        OptionSendBufferLimit = NetCoreServerBenchmark.MaxUnsent(setup.Plan);
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
