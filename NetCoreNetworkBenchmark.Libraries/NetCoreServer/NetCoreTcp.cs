using TcpClient = NetCoreServer.TcpClient;
using TcpServer = NetCoreServer.TcpServer;
using TcpSession = NetCoreServer.TcpSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

internal sealed class NetCoreTcpServer : TcpServer, IBenchmarkServer
{
    private readonly NetCoreSessions _sessions;

    public NetCoreTcpServer(ServerSetup setup)
        : base(setup.EndPoint)
    {
        OptionNoDelay = true;
        _sessions = new NetCoreSessions(setup, Multicast);
    }

    IPEndPoint IBenchmarkServer.EndPoint => (IPEndPoint)Endpoint;

    public ValueTask DisposeAsync() => NetCoreSessions.EndAsync(IsStarted, Stop);

    protected override TcpSession CreateSession() => new Session(this);

    protected override void OnError(SocketError error) => _sessions.OnError(error);

    private sealed class Session : TcpSession, INetCoreEndpoint
    {
        private readonly NetCoreSession _peer;

        public Session(NetCoreTcpServer server)
            : base(server)
        {
            _peer = new NetCoreSession(server._sessions, this);
            OptionSendBufferLimit = NetCoreServerBenchmark.MaxUnsent(server._sessions.Side.Plan);
        }

        public long Unsent => BytesPending + BytesSending;

        protected override void OnConnecting() => _peer.OnConnecting();

        protected override void OnConnected() => _peer.OnConnected();

        protected override void OnReceived(byte[] buffer, long offset, long size) => _peer.OnReceived(buffer, offset, size);

        protected override void OnEmpty() => _peer.OnEmpty();

        protected override void OnDisconnecting() => _peer.OnDisconnecting();

        protected override void OnDisconnected() => _peer.OnDisconnected();

        protected override void OnError(SocketError error) => _peer.OnError(error);
    }
}

internal sealed class NetCoreTcpClient : TcpClient, INetCoreEndpoint
{
    public NetCoreTcpClient(ClientSetup setup, StreamSide side, IConnectObserver observer)
        : base(setup.EndPoint)
    {
        Peer = new NetCoreClient(side, tls: null, observer, this, ConnectAsync);
        OptionNoDelay = true;
        OptionSendBufferLimit = NetCoreServerBenchmark.MaxUnsent(setup.Plan);
    }

    public NetCoreClient Peer { get; }

    public long Unsent => BytesPending + BytesSending;

    protected override void OnConnected()
    {
        if (SelfConnection.Is(Socket, Endpoint))
        {
            Socket.LingerState = new LingerOption(enable: true, seconds: 0);
            Disconnect();
            return;
        }

        Peer.OnConnected();
    }

    protected override void OnReceived(byte[] buffer, long offset, long size) => Peer.OnReceived(buffer, offset, size);

    protected override void OnEmpty() => Peer.OnEmpty();

    protected override void OnDisconnected() => Peer.OnDisconnected();

    protected override void OnError(SocketError error) => Peer.OnError(error);
}
