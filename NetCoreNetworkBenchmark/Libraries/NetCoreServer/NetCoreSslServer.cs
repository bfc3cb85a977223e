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

    public ValueTask DisposeAsync()
    {
        if (IsStarted)
        {
            Stop();
        }

        return ValueTask.CompletedTask;
    }

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
            OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(server._sessions.Side.Plan);
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
