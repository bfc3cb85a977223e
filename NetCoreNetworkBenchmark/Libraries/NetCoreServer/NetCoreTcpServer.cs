using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

using TcpServer = NetCoreServer.TcpServer;
using TcpSession = NetCoreServer.TcpSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The TCP server, with a session of the library for each client.</summary>
internal sealed class NetCoreTcpServer : TcpServer, IBenchmarkServer, INetCoreServer
{
    private readonly ServerSetup _setup;
    private readonly NetCoreGroup? _group;
    private readonly ConnectionBound _bound;

    public NetCoreTcpServer(ServerSetup setup)
        : base(setup.EndPoint)
    {
        _setup = setup;
        _bound = new ConnectionBound(setup.Plan, setup.Recorder);
        OptionNoDelay = true;
        _group = NetCoreGroup.Of(setup, this);
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

    protected override TcpSession CreateSession() => new Session(this);

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"server {error}");

    private sealed class Session : TcpSession, INetCoreEndpoint
    {
        private readonly NetCoreTcpServer _server;
        private readonly NetCorePeer _peer;
        private bool _hasJoined;
        private bool _isRefused;

        public Session(NetCoreTcpServer server)
            : base(server)
        {
            _server = server;
            _peer = new NetCorePeer(server._setup.Plan, server._setup.Recorder, server._setup.Handler, this, isServer: true);
            OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(server._setup.Plan);
        }

        public long Unsent => BytesPending + BytesSending;

        protected override void OnConnecting() => _isRefused = !_server._bound.TryEnter();

        protected override void OnConnected()
        {
            if (_isRefused)
            {
                Disconnect();
            }
            else
            {
                _peer.OnConnected();
            }
        }

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
            // The library receives before it reports the connection.
            if (_isRefused)
            {
                return;
            }

            if (!_hasJoined)
            {
                _hasJoined = true;
                _server._group?.Join(this);
            }

            _peer.OnReceived(buffer.AsSpan((int)offset, (int)size));
        }

        protected override void OnEmpty()
        {
            _peer.OnEmpty();
            _server._group?.OnRoom();
        }

        // If a client leaves at once, the library reports its disconnect before its connect.
        protected override void OnDisconnecting()
        {
            if (!_isRefused)
            {
                _peer.OnConnected();
            }
        }

        protected override void OnDisconnected()
        {
            if (!_isRefused)
            {
                _server._bound.Leave();
                _server._group?.Leave(this);
                _peer.OnDisconnected();
            }
        }

        protected override void OnError(SocketError error)
        {
            _server.OnError(error);
            NetCoreGroup.EndWhoDoesNotRead(this, error);
        }
    }
}
