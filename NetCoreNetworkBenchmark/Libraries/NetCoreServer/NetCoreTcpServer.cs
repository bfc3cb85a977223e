using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Core;
using TcpServer = NetCoreServer.TcpServer;
using TcpSession = NetCoreServer.TcpSession;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>The TCP server, with a session of the library for each client.</summary>
internal sealed class NetCoreTcpServer : TcpServer, IBenchmarkServer
{
    private readonly ServerSetup _setup;

    public NetCoreTcpServer(ServerSetup setup)
        : base(setup.EndPoint)
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

    protected override TcpSession CreateSession() => new Session(this);

    protected override void OnError(SocketError error) => _setup.Recorder.CountError($"server {error}");

    private sealed class Session : TcpSession, INetCoreEndpoint
    {
        private readonly NetCoreTcpServer _server;
        private readonly NetCorePeer _peer;

        public Session(NetCoreTcpServer server)
            : base(server)
        {
            _server = server;
            _peer = new NetCorePeer(server._setup.Plan, server._setup.Recorder, server._setup.Handler, this, "server");
            OptionSendBufferLimit = NetCoreServerBenchmark.MostUnsent(server._setup.Plan);
        }

        public long Unsent => BytesPending + BytesSending;

        protected override void OnConnected() => _peer.OnConnected();

        protected override void OnReceived(byte[] buffer, long offset, long size) => _peer.OnReceived(buffer.AsSpan((int)offset, (int)size));

        protected override void OnEmpty() => _peer.OnEmpty();

        // A client that leaves at once is told to have gone before it was told to have come.
        protected override void OnDisconnecting() => _peer.OnConnected();

        protected override void OnDisconnected() => _peer.OnDisconnected();

        protected override void OnError(SocketError error) => _server.OnError(error);
    }
}
