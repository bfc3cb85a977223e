using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>The server: one bound host for all clients, with as many peers as the plan has clients.</summary>
internal sealed class PolledENetServer<THost, TPeer> : PolledENetHost<THost, TPeer>, IPolledServerSocket
    where THost : struct, IENetHost<TPeer>
{
    private readonly ServerSetup _setup;
    private readonly RoundRobinDueWork _turns;
    private readonly byte _channel;

    // Indexed by the peer's position in the host's own array of peers.
    private readonly ConnectedPeer?[] _peers;
    private readonly AllConnected? _all;
    private int _connected;

    /// <summary>Serves a bound host on a thread.</summary>
    public PolledENetServer(ServerSetup setup, PollLoop loop, THost host, IPEndPoint endPoint)
        : base(loop, host, (setup ?? throw new ArgumentNullException(nameof(setup))).Recorder, "server")
    {
        (_setup, EndPoint, _channel) = (setup, endPoint, ENetChannel.For(setup.Plan.Transmission));
        _peers = new ConnectedPeer?[setup.Plan.Clients];
        _turns = new RoundRobinDueWork(loop, setup.Handler, FlushQueued);
        if (setup.SendsToAll)
        {
            _all = new AllConnected(this);
            loop.Post(() => setup.Handler.OnConnected(_all, Loop.Worker));
        }
    }

    public IPEndPoint EndPoint { get; }

    protected override void OnConnect(TPeer peer)
    {
        var connected = new ConnectedPeer(this, peer);
        _peers[Host.IndexOf(peer)] = connected;
        _connected++;
        _setup.Handler.OnConnected(connected, Loop.Worker);
    }

    protected override void OnReceive(TPeer peer, ReadOnlySpan<byte> message) =>
        _setup.Handler.OnMessage(_peers[Host.IndexOf(peer)]!, message, Loop.Worker);

    protected override void OnDisconnect(TPeer peer) => Forget(_peers[Host.IndexOf(peer)]);

    protected override void CloseConnections()
    {
        _all?.EndTurns();
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
            _connected--;
            peer.EndTurns();
            _setup.Handler.OnClosed(peer, Loop.Worker);
        }
    }

    private sealed class AllConnected(PolledENetServer<THost, TPeer> server) : AllPeers(server._turns.Turns)
    {
        public override int Receivers => server._connected;

        public override bool Send(ReadOnlySpan<byte> message)
        {
            CountInTurn();
            return server.Broadcast(message, server._channel);
        }
    }

    private sealed class ConnectedPeer(PolledENetServer<THost, TPeer> server, TPeer peer) : PushPeer(server._turns.Turns)
    {
        public int Index { get; } = server.Host.IndexOf(peer);

        public override bool Send(ReadOnlySpan<byte> message) => Send(message, server._channel);

        public override bool SendReliable(ReadOnlySpan<byte> message) => Send(message, ENetChannel.Reliable);

        public override bool SendReliable(ReadOnlySpan<byte> message, int channel) => Send(message, (byte)(ENetChannel.Reliable + channel));

        public override void Close()
        {
            server.Host.Disconnect(peer);
            server.Forget(this);
        }

        private bool Send(ReadOnlySpan<byte> message, byte channel)
        {
            CountInTurn();
            return server.Send(peer, message, channel);
        }
    }
}
