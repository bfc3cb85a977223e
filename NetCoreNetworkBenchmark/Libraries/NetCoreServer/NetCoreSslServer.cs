using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Streams;
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

        // The library waits for TLS' last word to be taken, behind what it is sending, and a client that does not read would keep the thread for ever. A socket
        // that was shut down makes that fail at once.
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

        // Here and not before, for the library can end a connection only from now on. It lets a handshake take for ever.
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
            if (_isRefused)
            {
                return;
            }

            _deadline?.Dispose();
            _server._bound.Leave();
            if (!_peer.IsConnected)
            {
                // The library tells of any failure of a handshake by one and the same code, and shows no exception.
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
                // A thread of the pool must not take the process down: the runner ends the run with this as its reason.
                _server._setup.Recorder.ReportFault(exception);
            }
        }
    }
}
