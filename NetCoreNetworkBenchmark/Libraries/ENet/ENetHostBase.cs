using System.Diagnostics;
using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Scenarios;

using static NetCoreNetworkBenchmark.Libraries.ENet.EnetH;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>One ENet host on its thread: its creation, draining, flushing, service while idle, and close.</summary>
internal abstract unsafe class ENetHostBase : IPollable
{
    protected const int ChannelCount = 1;
    private const byte Channel = 0;

    // A host that receives nothing must still be serviced: it retransmits, acknowledges and pings (every 500 ms by default).
    private static readonly long s_longestRest = Stopwatch.Frequency / 10;

    // Fragments of a large unreliable message must be unreliable too.
    private readonly uint _packetFlags;
    private long _lastService;
    private bool _hasQueued;

    protected ENetHostBase(PollLoop loop, Transmission transmission)
    {
        Loop = loop;
        _packetFlags = transmission == Transmission.Reliable ? ENET_PACKET_FLAG_RELIABLE : ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT;
    }

    public nint SocketHandle { get; private set; }

    /// <summary>The native host; null if it could not be created or has been destroyed.</summary>
    protected ENetHost* Host { get; private set; }

    protected PollLoop Loop { get; }

    public void OnReadable()
    {
        if (Host is not null)
        {
            Drain();
        }
    }

    public virtual void OnTick()
    {
        if (Loop.Worker.Now - _lastService > s_longestRest)
        {
            OnReadable();
        }
    }

    public void Dispose()
    {
        if (Host is not null)
        {
            CloseConnections();
            enet_host_destroy(Host);
            Host = null;
        }
    }

    /// <summary>Queues a message; the next flush sends it.</summary>
    public bool Send(ENetPeer* peer, ReadOnlySpan<byte> message)
    {
        fixed (byte* data = message)
        {
            ENetPacket* packet = enet_packet_create(data, (nuint)message.Length, _packetFlags);
            if (packet is not null && enet_peer_send(peer, Channel, packet) == 0)
            {
                _hasQueued = true;
                return true;
            }

            if (packet is not null)
            {
                enet_packet_destroy(packet);
            }

            return false;
        }
    }

    /// <summary>Sends queued messages. A flush of nothing would still visit every peer.</summary>
    protected void FlushQueued()
    {
        if (_hasQueued)
        {
            _hasQueued = false;
            enet_host_flush(Host);
        }
    }

    /// <summary>Converts an endpoint. ENet keeps the address in network byte order and the port in that of the machine.</summary>
    protected static ENetAddress ToENet(IPEndPoint endPoint)
    {
        AddressRules.RequireIPv4(endPoint.Address, "ENet");
        uint host;
        endPoint.Address.TryWriteBytes(new Span<byte>(&host, sizeof(uint)), out _);
        return new ENetAddress { host = host, port = (ushort)endPoint.Port };
    }

    /// <summary>
    /// Turns off the throttle of a peer. By default, ENet drops unreliable packets at the sender when round trips become longer; a deceleration of 0 disables
    /// this. A closed loop makes round trips longer on purpose, and packets that ENet drops would be counted as loss of the network. Both sides do this when
    /// they connect, before the first round trip that could change the throttle.
    /// </summary>
    protected static void DisableThrottle(ENetPeer* peer) =>
        enet_peer_throttle_configure(peer, ENET_PEER_PACKET_THROTTLE_INTERVAL, ENET_PEER_PACKET_THROTTLE_SCALE, 0);

    /// <summary>Creates the native host; <see cref="Host"/> stays null if it cannot be bound.</summary>
    protected void Create(ENetAddress* address, int peers, int receiveBuffer)
    {
        Host = enet_host_create(address, (nuint)peers, ChannelCount, 0, 0);
        if (Host is not null)
        {
            SocketHandle = SocketOf(Host);
            SocketBuffers.Reserve(SocketHandle, receiveBuffer);
        }
    }

    protected abstract void OnConnect(ENetPeer* peer);

    protected abstract void OnDisconnect(ENetPeer* peer);

    protected abstract void OnReceive(ENetPeer* peer, ReadOnlySpan<byte> message);

    /// <summary>Notifies every connected peer that this host closes.</summary>
    protected abstract void CloseConnections();

    private void Drain()
    {
        // This call receives from the socket; enet_host_check_events only returns the events that were received.
        ENetEvent found;
        int result = enet_host_service(Host, &found, 0);
        Loop.Worker.ReadClock();
        _lastService = Loop.Worker.Now;
        if (result <= 0)
        {
            // The service call has sent pending packets, such as the answer to a ping. A flush would visit every peer once more.
            return;
        }

        while (result > 0)
        {
            Dispatch(&found);
            result = enet_host_check_events(Host, &found);
        }

        // Also if the workload queued nothing: received packets are acknowledged.
        _hasQueued = true;
        FlushQueued();
    }

    private void Dispatch(ENetEvent* found)
    {
        switch (found->type)
        {
            case ENetEventType.ENET_EVENT_TYPE_RECEIVE:
                OnReceive(found->peer, new ReadOnlySpan<byte>(found->packet->data, (int)found->packet->dataLength));
                enet_packet_destroy(found->packet);
                break;
            case ENetEventType.ENET_EVENT_TYPE_CONNECT:
                OnConnect(found->peer);
                break;
            case ENetEventType.ENET_EVENT_TYPE_DISCONNECT:
                OnDisconnect(found->peer);
                break;
            default:
                break;
        }
    }
}
