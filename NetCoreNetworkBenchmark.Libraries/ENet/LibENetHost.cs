using NetCoreNetworkBenchmark.AdapterKit.ENet;

using static NetCoreNetworkBenchmark.Libraries.ENet.EnetH;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

internal unsafe struct LibENetHost : IENetHost<nint>
{
    private readonly ENetHost* _host;
    private readonly bool _isThrottled;
    private ENetEvent _current;

    private LibENetHost(ENetHost* host, RunPlan plan, int receiveBuffer)
    {
        _host = host;
        _isThrottled = ENetAdapter.IsThrottled(plan);
        SocketBuffers.Reserve(SocketHandle, receiveBuffer);
    }

    public readonly nint SocketHandle => SocketOf(_host);

    public readonly nint Peer => (nint)_current.peer;

    public static (LibENetHost Host, IPEndPoint EndPoint) Bind(ServerSetup setup)
    {
        ENetAddress address = ToENet(setup.EndPoint);
        ENetHost* host = Create(&address, setup.Plan.Clients, setup.Plan);
        return host is null
            ? throw BindFailure.Diagnose(setup.EndPoint, "ENet")
            : (new LibENetHost(host, setup.Plan, SocketBuffers.NeededByServer(setup.Plan)),
                new IPEndPoint(setup.EndPoint.Address, AddressOf(host).port));
    }

    public static (LibENetHost Host, nint Server) Connect(ClientSetup setup)
    {
        ENetAddress address = ToENet(setup.EndPoint);
        ENetHost* host = Create(null, peers: 1, setup.Plan);
        nint server = host is null ? 0 : (nint)enet_host_connect(host, &address, (nuint)ENetChannel.CountFor(setup.Plan), 0);
        if (server == 0)
        {
            enet_host_destroy(host);
            throw new BenchmarkException("ENet could not create the host of a client: the system refused a socket or memory.");
        }

        var client = new LibENetHost(host, setup.Plan, SocketBuffers.NeededByClient(setup.Plan));
        client.Flush();
        return (client, server);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ENetEventKind Service()
    {
        fixed (ENetEvent* current = &_current)
        {
            return KindOf(enet_host_service(_host, current, 0), current);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ENetEventKind CheckEvents()
    {
        fixed (ENetEvent* current = &_current)
        {
            return KindOf(enet_host_check_events(_host, current), current);
        }
    }

    public readonly ReadOnlySpan<byte> Read() => new(_current.packet->data, (int)_current.packet->dataLength);

    public readonly void Release() => enet_packet_destroy(_current.packet);

    public readonly bool Send(nint peer, ReadOnlySpan<byte> message, byte channel)
    {
        ENetPacket* packet = CreatePacket(message, channel);
        bool isQueued = packet is not null && enet_peer_send((ENetPeer*)peer, channel, packet) == 0;
        if (!isQueued && packet is not null)
        {
            enet_packet_destroy(packet);
        }

        return isQueued;
    }

    public readonly bool Broadcast(ReadOnlySpan<byte> message, byte channel)
    {
        ENetPacket* packet = CreatePacket(message, channel);
        if (packet is not null)
        {
            enet_host_broadcast(_host, channel, packet);
        }

        return packet is not null;
    }

    public readonly void Flush() => enet_host_flush(_host);

    public readonly int IndexOf(nint peer) => ((ENetPeer*)peer)->incomingPeerID;

    public readonly void Disconnect(nint peer) => enet_peer_disconnect_now((ENetPeer*)peer, 0);

    public readonly void Destroy() => enet_host_destroy(_host);

    private static ENetHost* Create(ENetAddress* address, int peers, RunPlan plan) =>
        enet_host_create(address, (nuint)peers, (nuint)ENetChannel.CountFor(plan), 0, 0);

    private static ENetAddress ToENet(IPEndPoint endPoint)
    {
        uint host;
        endPoint.Address.TryWriteBytes(new Span<byte>(&host, sizeof(uint)), out _);
        return new ENetAddress { host = host, port = (ushort)endPoint.Port };
    }

    private static ENetPacket* CreatePacket(ReadOnlySpan<byte> message, byte channel)
    {
        // Fragments of a large unreliable message must be unreliable too.
        uint flags = channel == ENetChannel.Unreliable ? ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT : ENET_PACKET_FLAG_RELIABLE;
        fixed (byte* data = message)
        {
            return enet_packet_create(data, (nuint)message.Length, flags);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ENetEventKind KindOf(int result, ENetEvent* current)
    {
        if (result <= 0)
        {
            return (ENetEventKind)result;
        }

        if (current->type == ENetEventType.ENET_EVENT_TYPE_CONNECT)
        {
            if (!_isThrottled)
            {
                // By default, ENet drops unreliable packets at the sender when round trips become longer, which a closed loop causes on purpose, and they would
                // count as loss of the network. A deceleration of 0 disables this, at both sides when they connect, before the first round trip.
                enet_peer_throttle_configure(current->peer, ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
            }

            enet_peer_timeout(current->peer, 0, PeerTimeout.LongestMilliseconds, PeerTimeout.LongestMilliseconds);
        }

        return (ENetEventKind)current->type;
    }
}
