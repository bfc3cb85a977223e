using System.Net;
using LiteNetLib;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

/// <summary>The server: one manager for all clients.</summary>
internal sealed class LiteNetLibServer : PolledManager, IPolledServerSocket
{
    private readonly ServerSetup _setup;
    private readonly HashSet<Peer> _peers = [];

    public LiteNetLibServer(ServerSetup setup, PollLoop loop)
        : base(loop, setup.Plan, setup.Recorder, "server")
    {
        AddressRules.RequireIPv4(setup.EndPoint, "LiteNetLib");
        _setup = setup;
        RunPlan plan = setup.Plan;
        int buffer = SocketBuffers.NeededByServer(plan);
        EndPoint = Start(setup.EndPoint.Address, setup.EndPoint.Port, buffer)
            ? new IPEndPoint(setup.EndPoint.Address, Manager.LocalPort)
            : throw BindFailure.Diagnose(setup.EndPoint, "LiteNetLib");
    }

    public IPEndPoint EndPoint { get; }

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

    private sealed class Peer(LiteNetLibServer server, NetPeer peer) : IPeer
    {
        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message) => server.Send(peer, message);

        public void Close() => peer.Disconnect();
    }
}
