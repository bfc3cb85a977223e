using System.Net;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using static NetCoreNetworkBenchmark.Libraries.ENet.EnetH;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>The server: one host on a thread of its own.</summary>
internal sealed class ENetServer : IBenchmarkServer
{
    private readonly PollLoop _loop;
    private readonly TimeSpan _stopDeadline;

    public ENetServer(ServerSetup setup)
    {
        _stopDeadline = setup.Plan.StopDeadline;
        _loop = new PollLoop("ENet server", setup.Recorder, servesClients: false);
        try
        {
            var host = new ServerHost(setup, _loop);
            EndPoint = new IPEndPoint(setup.EndPoint.Address, host.Port);
            _loop.Post(() => _loop.Add(host));
        }
        catch
        {
            _ = _loop.StopAsync(_stopDeadline);
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync() => await _loop.StopAsync(_stopDeadline).ConfigureAwait(false);

    /// <summary>Made by the caller's thread, which hands it to the loop's and does not touch it again.</summary>
    private sealed unsafe class ServerHost : ENetHostBase
    {
        private readonly ServerSetup _setup;

        // By the peer's place in the host's own array of peers.
        private readonly Peer?[] _peers;

        public ServerHost(ServerSetup setup, PollLoop loop)
            : base(loop, setup.Plan.Transmission)
        {
            _setup = setup;
            _peers = new Peer?[setup.Plan.Clients];
            ENetAddress address = ToENet(setup.EndPoint);
            RunPlan plan = setup.Plan;
            Create(&address, plan.Clients, SocketBuffers.Needed((long)plan.Clients * plan.ParallelMessages, plan.MessageSize));
            Port = Host is null ? throw BindFailure.Diagnose(setup.EndPoint, "ENet") : AddressOf(Host).port;
        }

        public int Port { get; }

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

        private sealed class Peer(ServerHost host, ENetPeer* peer) : IPeer
        {
            private readonly ENetPeer* _peer = peer;

            public int Index { get; } = peer->incomingPeerID;

            public object? State { get; set; }

            public bool Send(ReadOnlySpan<byte> message)
            {
                if (host.Send(_peer, message))
                {
                    return true;
                }

                host._setup.Recorder.CountError("server enet_peer_send");
                return false;
            }

            public void Close()
            {
                enet_peer_disconnect_now(_peer, 0);
                host.Forget(this);
            }
        }
    }
}
