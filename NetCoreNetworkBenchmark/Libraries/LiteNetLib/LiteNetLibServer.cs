using System.Net;
using LiteNetLib;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

/// <summary>The server: one manager on a thread of its own.</summary>
internal sealed class LiteNetLibServer : IBenchmarkServer
{
    private readonly PollLoop _loop;
    private readonly TimeSpan _stopDeadline;

    public LiteNetLibServer(ServerSetup setup)
    {
        AddressRules.RequireIPv4(setup.EndPoint, "LiteNetLib");
        _stopDeadline = setup.Plan.StopDeadline;
        _loop = new PollLoop("LiteNetLib server", setup.Recorder, servesClients: false);
        try
        {
            var manager = new ServerManager(setup, _loop);
            EndPoint = new IPEndPoint(setup.EndPoint.Address, manager.Port);
            _loop.Post(() => _loop.Add(manager));
        }
        catch
        {
            _ = _loop.StopAsync(_stopDeadline);
            throw;
        }
    }

    public IPEndPoint EndPoint { get; }

    public async ValueTask DisposeAsync() => await _loop.StopAsync(_stopDeadline).ConfigureAwait(false);

    private sealed class ServerManager : PolledManager
    {
        private readonly ServerSetup _setup;
        private readonly HashSet<Peer> _peers = [];

        public ServerManager(ServerSetup setup, PollLoop loop)
            : base(loop, setup.Plan, setup.Recorder, "server")
        {
            _setup = setup;
            RunPlan plan = setup.Plan;
            int buffer = SocketBuffers.Needed((long)plan.Clients * plan.ParallelMessages, plan.MessageSize);
            if (!Start(setup.EndPoint.Address, setup.EndPoint.Port, buffer))
            {
                throw BindFailure.Diagnose(setup.EndPoint, "LiteNetLib");
            }
        }

        public int Port => Manager.LocalPort;

        public override void OnConnectionRequest(ConnectionRequest request) => request.AcceptIfKey(ConnectionKey);

        public override void OnPeerConnected(NetPeer peer)
        {
            var connected = new Peer(this, peer);
            peer.Tag = connected;
            _peers.Add(connected);
            _setup.Handler.OnConnected(connected, Loop.Worker);
        }

        public override void OnPeerDisconnected(NetPeer peer, DisconnectInfo disconnectInfo)
        {
            if (peer.Tag is Peer known && _peers.Remove(known))
            {
                _setup.Handler.OnClosed(known, Loop.Worker);
            }
        }

        protected override void OnMessage(NetPeer peer, ReadOnlySpan<byte> message) =>
            _setup.Handler.OnMessage((Peer)peer.Tag, message, Loop.Worker);

        protected override void CloseConnections()
        {
            foreach (Peer peer in _peers)
            {
                _setup.Handler.OnClosed(peer, Loop.Worker);
            }

            _peers.Clear();
        }

        private sealed class Peer(ServerManager manager, NetPeer peer) : IPeer
        {
            public object? State { get; set; }

            public bool Send(ReadOnlySpan<byte> message) => manager.Send(peer, message);

            public void Close() => peer.Disconnect();
        }
    }
}
