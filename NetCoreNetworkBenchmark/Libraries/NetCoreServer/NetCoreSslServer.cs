using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using SslServer = NetCoreServer.SslServer;
using SslSession = NetCoreServer.SslSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The SSL server, with a session of the library for each client.</summary>
internal sealed class NetCoreSslServer : SslServer, IBenchmarkServer
{
    private readonly ServerSetup _setup;

    public NetCoreSslServer(ServerSetup setup)
        : base(NetCoreTls.ForServer(setup), setup.EndPoint)
    {
        _setup = setup;
        OptionNoDelay = true;
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

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"server {error}");

    private sealed class Session : SslSession, INetCoreEndpoint
    {
        private readonly NetCoreSslServer _server;
        private readonly NetCorePeer _peer;

        public Session(NetCoreSslServer server)
            : base(server)
        {
            _server = server;
            _peer = new NetCorePeer(server._setup.Plan, server._setup.Recorder, server._setup.Handler, this, "server");
            OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(server._setup.Plan);
        }

        public long Unsent => BytesPending + BytesSending;

        protected override void OnHandshaked() => _peer.OnConnected();

        protected override void OnReceived(byte[] buffer, long offset, long size) => _peer.OnReceived(buffer.AsSpan((int)offset, (int)size));

        protected override void OnEmpty() => _peer.OnEmpty();

        // A client that leaves at once is told to have gone before it was told to have come.
        protected override void OnDisconnecting()
        {
            if (IsHandshaked)
            {
                _peer.OnConnected();
            }
        }

        protected override void OnDisconnected()
        {
            if (!_peer.IsConnected)
            {
                // The library tells of any failure of a handshake by one and the same code, and shows no exception.
                _server._setup.Recorder.CountError("server TLS handshake failed: the client does not speak TLS as it should, or went away");
            }

            _peer.OnDisconnected();
        }

        protected override void OnError(SocketError error)
        {
            if (_peer.IsConnected)
            {
                _server.OnError(error);
            }
        }
    }
}
