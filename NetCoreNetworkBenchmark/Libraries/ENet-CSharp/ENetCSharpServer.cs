using System.Net;
using System.Net.Sockets;
using ENet;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

/// <summary>The server: one host for all clients.</summary>
internal sealed class ENetCSharpServer : ENetCSharpHost, IPolledServerSocket
{
    private readonly ServerSetup _setup;

    // Indexed by the peer's position in the host's own array of peers.
    private readonly ConnectedPeer?[] _peers;

    public ENetCSharpServer(ServerSetup setup, PollLoop loop)
        : base(loop, setup.Plan)
    {
        _setup = setup;
        RunPlan plan = setup.Plan;
        _peers = new ConnectedPeer?[plan.Clients];
        EndPoint = setup.EndPoint.Port == 0 ? new IPEndPoint(setup.EndPoint.Address, FreePort(setup.EndPoint.Address)) : setup.EndPoint;
        try
        {
            Create(EndPoint, plan.Clients, SocketBuffers.NeededByServer(plan));
        }
        catch (InvalidOperationException)
        {
            throw BindFailure.Diagnose(EndPoint, "ENet-CSharp");
        }
    }

    public IPEndPoint EndPoint { get; }

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

    // The wrapper does not report the port that the system chose, so a port that is currently free is determined.
    private static int FreePort(IPAddress address)
    {
        var endPoint = new IPEndPoint(address, 0);
        try
        {
            using var socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(endPoint);
            return ((IPEndPoint)socket.LocalEndPoint!).Port;
        }
        catch (SocketException exception)
        {
            throw BindFailure.Explain(endPoint, exception);
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

    private sealed class ConnectedPeer(ENetCSharpServer server, Peer peer) : IPeer
    {
        public uint Index { get; } = peer.ID;

        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            if (server.Send(peer, message))
            {
                return true;
            }

            server._setup.Recorder.CountError("server enet_peer_send");
            return false;
        }

        public void Close()
        {
            peer.DisconnectNow(0);
            server.Forget(this);
        }
    }
}
