using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

using static NetCoreNetworkBenchmark.Libraries.ENet.EnetH;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>The server: one host for all clients.</summary>
internal sealed unsafe class ENetServer : ENetHostBase, IPolledServerSocket
{
    private readonly ServerSetup _setup;

    // Indexed by the peer's position in the host's own array of peers.
    private readonly Peer?[] _peers;

    public ENetServer(ServerSetup setup, PollLoop loop)
        : base(loop, setup.Plan.Transmission)
    {
        _setup = setup;
        _peers = new Peer?[setup.Plan.Clients];
        ENetAddress address = ToENet(setup.EndPoint);
        RunPlan plan = setup.Plan;
        Create(&address, plan.Clients, SocketBuffers.NeededByServer(plan));
        EndPoint = Host is null
            ? throw BindFailure.Diagnose(setup.EndPoint, "ENet")
            : new IPEndPoint(setup.EndPoint.Address, AddressOf(Host).port);
    }

    public IPEndPoint EndPoint { get; }

    protected override void OnConnect(ENetPeer* peer)
    {
        DisableThrottle(peer);
        var connected = new Peer(this, peer);
        _peers[peer->incomingPeerID] = connected;
        _setup.Handler.OnConnected(connected, Loop.Worker);
    }

    protected override void OnReceive(ENetPeer* peer, ReadOnlySpan<byte> message) =>
        _setup.Handler.OnMessage(_peers[peer->incomingPeerID]!, message, Loop.Worker);

    protected override void OnDisconnect(ENetPeer* peer) => Forget(_peers[peer->incomingPeerID]);

    protected override void CloseConnections()
    {
        foreach (Peer peer in _peers.OfType<Peer>())
        {
            peer.Close();
        }
    }

    private void Forget(Peer? peer)
    {
        if (peer is not null)
        {
            _peers[peer.Index] = null;
            _setup.Handler.OnClosed(peer, Loop.Worker);
        }
    }

    private sealed class Peer(ENetServer server, ENetPeer* peer) : IPeer
    {
        private readonly ENetPeer* _peer = peer;

        public int Index { get; } = peer->incomingPeerID;

        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            if (server.Send(_peer, message))
            {
                return true;
            }

            server._setup.Recorder.CountError("server enet_peer_send");
            return false;
        }

        public void Close()
        {
            enet_peer_disconnect_now(_peer, 0);
            server.Forget(this);
        }
    }
}
