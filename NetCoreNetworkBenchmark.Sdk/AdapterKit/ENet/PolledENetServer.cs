using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>The server: one bound host for all clients, with as many peers as the plan has clients.</summary>
public sealed class PolledENetServer<THost, TPeer>(ServerSetup setup, PollLoop loop, THost host, IPEndPoint endPoint)
    : PolledENetHost<THost, TPeer>(loop, host), IPolledServerSocket
    where THost : struct, IENetHost<TPeer>
{
    // Indexed by the peer's position in the host's own array of peers.
    private readonly ConnectedPeer?[] _peers = new ConnectedPeer?[setup.Plan.Clients];

    /// <inheritdoc/>
    public IPEndPoint EndPoint => endPoint;

    /// <inheritdoc/>
    protected override void OnConnect(TPeer peer)
    {
        var connected = new ConnectedPeer(this, peer);
        _peers[Host.IndexOf(peer)] = connected;
        setup.Handler.OnConnected(connected, Loop.Worker);
    }

    /// <inheritdoc/>
    protected override void OnReceive(TPeer peer, ReadOnlySpan<byte> message) =>
        setup.Handler.OnMessage(_peers[Host.IndexOf(peer)]!, message, Loop.Worker);

    /// <inheritdoc/>
    protected override void OnDisconnect(TPeer peer) => Forget(_peers[Host.IndexOf(peer)]);

    /// <inheritdoc/>
    protected override void CountFailure() => setup.Recorder.CountError("server enet_host_service");

    /// <inheritdoc/>
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
            setup.Handler.OnClosed(peer, Loop.Worker);
        }
    }

    private void CountError() => setup.Recorder.CountError("server enet_peer_send");

    private sealed class ConnectedPeer(PolledENetServer<THost, TPeer> server, TPeer peer) : IPeer
    {
        public int Index { get; } = server.Host.IndexOf(peer);

        public object? State { get; set; }

        public bool Send(ReadOnlySpan<byte> message)
        {
            if (server.Send(peer, message))
            {
                return true;
            }

            server.CountError();
            return false;
        }

        public void Close()
        {
            server.Host.Disconnect(peer);
            server.Forget(this);
        }
    }
}
