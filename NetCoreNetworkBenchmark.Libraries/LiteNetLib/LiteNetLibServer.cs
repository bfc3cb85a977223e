using LiteNetLib;

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

internal sealed class LiteNetLibServer : PolledManager, IPolledServerSocket
{
    // With more reliable messages in the queue of a peer than its window has, others wait in memory only.
    private const int MaxQueued = NetConstants.DefaultWindowSize;

    private readonly ServerSetup _setup;
    private readonly HashSet<Peer> _peers = [];
    private readonly RoundRobinDueWork _turns;
    private readonly AllConnected? _all;

    public LiteNetLibServer(ServerSetup setup, PollLoop loop)
        : base(loop, setup.Plan, setup.Recorder, "server")
    {
        _setup = setup;
        _turns = new RoundRobinDueWork(loop, setup.Handler, UpdateIfNeeded);
        EndPoint = Start(setup.EndPoint, SocketBuffers.NeededByServer(setup.Plan)) is { } refused
            ? throw BindFailure.Diagnose(refused, "LiteNetLib")
            : new IPEndPoint(setup.EndPoint.Address, Manager.LocalPort);
        if (setup.SendsToAll)
        {
            _all = new AllConnected(this);
            loop.Post(() => setup.Handler.OnConnected(_all, Loop.Worker));
        }
    }

    public IPEndPoint EndPoint { get; }

    public override void OnConnectionRequest(ConnectionRequest request)
    {
        if (_peers.Count >= _setup.Plan.Clients || !request.Data.TryGetString(out string key) || key != ConnectionKey || request.Accept() is null)
        {
            // By force: otherwise the library keeps a peer for a while for each address that it rejects.
            request.RejectForce();
        }
    }

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
            known.EndTurns();
            _setup.Handler.OnClosed(known, Loop.Worker);
        }
    }

    protected override void OnMessage(NetPeer peer, ReadOnlySpan<byte> message) =>
        _setup.Handler.OnMessage((Peer)peer.Tag, message, Loop.Worker);

    protected override void CloseConnections()
    {
        _all?.EndTurns();
        foreach (Peer peer in _peers)
        {
            peer.EndTurns();
            _setup.Handler.OnClosed(peer, Loop.Worker);
        }

        _peers.Clear();
    }

    private sealed class AllConnected(LiteNetLibServer server) : AllPeers(server._turns.Turns)
    {
        public override int Receivers => server._peers.Count;

        protected override bool IsFull
        {
            get
            {
                foreach (Peer peer in server._peers)
                {
                    if (peer.HasFullQueue)
                    {
                        return true;
                    }
                }

                return false;
            }
        }

        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountInTurn();
            server.SendToAll(message);
            return true;
        }
    }

    private sealed class Peer(LiteNetLibServer server, NetPeer peer) : PushPeer(server._turns.Turns)
    {
        public bool HasFullQueue => server.IsReliable && peer.GetPacketsCountInReliableQueue(0, ordered: true) >= MaxQueued;

        protected override bool IsFull => HasFullQueue;

        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountInTurn();
            return server.Send(peer, message);
        }

        public override bool SendReliable(ReadOnlySpan<byte> message) => SendReliable(message, channel: 0);

        public override bool SendReliable(ReadOnlySpan<byte> message, int channel)
        {
            CountInTurn();
            return server.SendReliable(peer, message, channel);
        }

        public override void Close() => peer.Disconnect();
    }
}
