using System.Net;
using ENet;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

/// <summary>The server: one host on a thread of its own.</summary>
internal sealed class ENetCSharpServer : IBenchmarkServer
{
    private readonly PollLoop _loop;
    private readonly TimeSpan _stopDeadline;

    public ENetCSharpServer(ServerSetup setup)
    {
        AddressRules.RequireIPv4(setup.EndPoint, "ENet-CSharp");
        _stopDeadline = setup.Plan.StopDeadline;
        EndPoint = setup.EndPoint.Port == 0 ? new IPEndPoint(setup.EndPoint.Address, FreePort(setup.EndPoint.Address)) : setup.EndPoint;
        _loop = new PollLoop("ENet-CSharp server", setup.Recorder, servesClients: false);
        try
        {
            var host = new ServerHost(setup, EndPoint, _loop);
            _loop.Post(() => _loop.Add(host));
        }
        catch (InvalidOperationException)
        {
            _ = _loop.StopAsync(_stopDeadline);
            throw BindFailure.Diagnose(EndPoint, "ENet-CSharp");
        }
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync() => await _loop.StopAsync(_stopDeadline).ConfigureAwait(false);

    // The wrapper does not tell which port the system chose, so one is looked for that is free now.
    private static int FreePort(IPAddress address)
    {
        using var socket = new System.Net.Sockets.Socket(
            address.AddressFamily, System.Net.Sockets.SocketType.Dgram, System.Net.Sockets.ProtocolType.Udp);
        socket.Bind(new IPEndPoint(address, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    private sealed class ServerHost : ENetCSharpHost
    {
        private readonly ServerSetup _setup;

        // By the peer's place in the host's own array of peers.
        private readonly ConnectedPeer?[] _peers;

        public ServerHost(ServerSetup setup, IPEndPoint endPoint, PollLoop loop)
            : base(loop, setup.Plan)
        {
            _setup = setup;
            RunPlan plan = setup.Plan;
            _peers = new ConnectedPeer?[plan.Clients];
            Create(endPoint, plan.Clients, SocketBuffers.Needed((long)plan.Clients * plan.ParallelMessages, plan.MessageSize));
        }

        protected override void OnConnect(Peer peer)
        {
            var connected = new ConnectedPeer(this, peer);
            _peers[peer.ID] = connected;
            _setup.Handler.OnConnected(connected, Loop.Worker);
        }

        protected override void OnReceive(Peer peer, ReadOnlySpan<byte> message) =>
            _setup.Handler.OnMessage(_peers[peer.ID]!, message, Loop.Worker);

        protected override void OnDisconnect(Peer peer) => Forget(_peers[peer.ID]);

        protected override void CloseConnections()
        {
            foreach (ConnectedPeer peer in _peers.OfType<ConnectedPeer>())
            {
                peer.Close();
            }
        }

        private void Forget(ConnectedPeer? peer)
        {
            if (peer is not null)
            {
                _peers[peer.Index] = null;
                _setup.Handler.OnClosed(peer, Loop.Worker);
            }
        }

        private sealed class ConnectedPeer(ServerHost host, Peer peer) : IPeer
        {
            public uint Index { get; } = peer.ID;

            public object? State { get; set; }

            public bool Send(ReadOnlySpan<byte> message)
            {
                if (host.Send(peer, message))
                {
                    return true;
                }

                host._setup.Recorder.CountError("server enet_peer_send");
                return false;
            }

            public void Close()
            {
                peer.DisconnectNow(0);
                host.Forget(this);
            }
        }
    }
}
