using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.AdapterKit.Streams;
using NetCoreNetworkBenchmark.Contracts;

using SslServer = NetCoreServer.SslServer;
using SslSession = NetCoreServer.SslSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The SSL server, with a session of the library for each client.</summary>
internal sealed class NetCoreSslServer : SslServer, IBenchmarkServer, INetCoreServer
{
    private readonly ServerSetup _setup;
    private readonly NetCoreGroup? _group;
    private readonly ConnectionBound _bound;

    public NetCoreSslServer(ServerSetup setup)
        : base(NetCoreTls.ForServer(setup), setup.EndPoint)
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

    protected override SslSession CreateSession() => new Session(this);

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"server {error}");

    private sealed class Session : SslSession, INetCoreEndpoint
    {
        private readonly NetCoreSslServer _server;
        private readonly NetCorePeer _peer;
        private bool _hasJoined;
        private bool _isRefused;
        private Timer? _deadline;
        private volatile bool _tookTooLong;

        public Session(NetCoreSslServer server)
            : base(server)
        {
            _server = server;
            _peer = new NetCorePeer(server._setup.Plan, server._setup.Recorder, server._setup.Handler, this, isServer: true);
            OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(server._setup.Plan);
        }

        public long Unsent => BytesPending + BytesSending;

        // The library waits until the last TLS message is accepted, behind the bytes that it is sending, and a client that does not read would block the thread
        // forever. If the socket is shut down, this fails at once.
        public override bool Disconnect()
        {
            if (IsConnected && Unsent > 0)
            {
                try
                {
                    Socket.Shutdown(SocketShutdown.Both);
                }
                catch (Exception exception) when (StreamFailure.IsOne(exception))
                {
                    // The client is gone, so nothing waits for it.
                    return base.Disconnect();
                }
            }

            return base.Disconnect();
        }

        // Here and not before, because the library can end a connection only from now on. It sets no limit to the duration of a handshake.
        protected override void OnHandshaking()
        {
            _isRefused = !_server._bound.TryEnter();
            if (_isRefused)
            {
                Disconnect();
            }
            else
            {
                _deadline = new Timer(static session => ((Session)session!).GiveUp(), this, _server._setup.Plan.ConnectDeadline, Timeout.InfiniteTimeSpan);
            }
        }

        protected override void OnHandshaked()
        {
            _deadline?.Dispose();
            _peer.OnConnected();
        }

        protected override void OnReceived(byte[] buffer, long offset, long size)
        {
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
            if (IsHandshaked)
            {
                _peer.OnConnected();
            }
        }

        protected override void OnDisconnected()
        {
            if (_isRefused)
            {
                return;
            }

            _deadline?.Dispose();
            _server._bound.Leave();
            if (!_peer.IsConnected)
            {
                // The library reports every failure of a handshake with the same code, and exposes no exception.
                var verification = new PeerVerification("client", name: null, _server._setup.Plan.ConnectDeadline);
                _server._setup.Recorder.CountError($"server TLS handshake failed: {verification.Explain(_tookTooLong ? new TimeoutException() : null)}");
            }

            _server._group?.Leave(this);
            _peer.OnDisconnected();
        }

        protected override void OnError(SocketError error)
        {
            if (_peer.IsConnected)
            {
                _server.OnError(error);
                NetCoreGroup.EndWhoDoesNotRead(this, error);
            }
        }

        private void GiveUp()
        {
            try
            {
                if (!IsHandshaked)
                {
                    _tookTooLong = true;
                    Disconnect();
                }
            }
            catch (Exception exception)
            {
                // An exception on a pool thread must not end the process: the runner ends the run with this exception as the reason.
                _server._setup.Recorder.ReportFault(exception);
            }
        }
    }
}
