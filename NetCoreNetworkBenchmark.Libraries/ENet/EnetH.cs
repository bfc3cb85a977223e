namespace NetCoreNetworkBenchmark.Libraries.ENet;

// The part of enet/enet.h (libenet 1.3) that is used here; a test compares its layout with the C compiler's. No call skips the runtime's transition: it may
// enter the kernel, or allocate, copy or free as much as a message or a queue holds, and the garbage collector would have to wait for it.
internal static unsafe partial class EnetH
{
    public const string Library = "enet";

    public const uint ENET_PACKET_FLAG_RELIABLE = 1 << 0;
    public const uint ENET_PACKET_FLAG_UNRELIABLE_FRAGMENT = 1 << 3;
    public const uint ENET_PEER_PACKET_THROTTLE_SCALE = 32;
    public const uint ENET_PEER_PACKET_THROTTLE_INTERVAL = 5000;
    public const int ENET_PROTOCOL_MAXIMUM_PEER_ID = 0xFFF;

    [LibraryImport(Library)] public static partial int enet_initialize();
    [LibraryImport(Library)] public static partial uint enet_linked_version();

    [LibraryImport(Library)]
    public static partial ENetHost* enet_host_create(ENetAddress* address, nuint peerCount, nuint channelLimit, uint incomingBandwidth, uint outgoingBandwidth);

    [LibraryImport(Library)] public static partial void enet_host_destroy(ENetHost* host);
    [LibraryImport(Library)] public static partial ENetPeer* enet_host_connect(ENetHost* host, ENetAddress* address, nuint channelCount, uint data);
    [LibraryImport(Library)] public static partial int enet_host_service(ENetHost* host, ENetEvent* @event, uint timeout);
    [LibraryImport(Library)] public static partial int enet_host_check_events(ENetHost* host, ENetEvent* @event);
    [LibraryImport(Library)] public static partial void enet_host_flush(ENetHost* host);
    [LibraryImport(Library)] public static partial void enet_host_broadcast(ENetHost* host, byte channelID, ENetPacket* packet);
    [LibraryImport(Library)] public static partial int enet_peer_send(ENetPeer* peer, byte channelID, ENetPacket* packet);
    [LibraryImport(Library)] public static partial void enet_peer_throttle_configure(ENetPeer* peer, uint interval, uint acceleration, uint deceleration);
    [LibraryImport(Library)] public static partial void enet_peer_timeout(ENetPeer* peer, uint timeoutLimit, uint timeoutMinimum, uint timeoutMaximum);
    [LibraryImport(Library)] public static partial void enet_peer_disconnect_now(ENetPeer* peer, uint data);
    [LibraryImport(Library)] public static partial ENetPacket* enet_packet_create(byte* data, nuint dataLength, uint flags);
    [LibraryImport(Library)] public static partial void enet_packet_destroy(ENetPacket* packet);

    /// <summary>The host in network byte order, the port in that of the machine.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ENetAddress
    {
        public uint host;
        public ushort port;
    }

    /// <summary>Opaque, except for the fields that <see cref="SocketOf"/> and <see cref="AddressOf"/> read.</summary>
    public struct ENetHost;

    [StructLayout(LayoutKind.Sequential)]
    public struct ENetListNode
    {
        public void* next;
        public void* previous;
    }

    /// <summary>The beginning of the struct, up to the fields that are used here.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ENetPeer
    {
        public ENetListNode dispatchList;
        public ENetHost* host;
        public ushort outgoingPeerID;
        public ushort incomingPeerID;
        public uint connectID;
        public byte outgoingSessionID;
        public byte incomingSessionID;
        public ENetAddress address;
        public void* data;
        public int state;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ENetPacket
    {
        public nuint referenceCount;
        public uint flags;
        public byte* data;
        public nuint dataLength;
        public void* freeCallback;
        public void* userData;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ENetEvent
    {
        public ENetEventType type;
        public ENetPeer* peer;
        public byte channelID;
        public uint data;
        public ENetPacket* packet;
    }

    public enum ENetEventType
    {
        ENET_EVENT_TYPE_NONE = 0,
        ENET_EVENT_TYPE_CONNECT = 1,
        ENET_EVENT_TYPE_DISCONNECT = 2,
        ENET_EVENT_TYPE_RECEIVE = 3,
    }

    /// <summary>The offset of <c>address</c> in ENetHost, after <c>socket</c>: an int on Unix, a pointer-sized handle on Windows.</summary>
    public static int HostAddressOffset => OperatingSystem.IsWindows() ? sizeof(nint) : sizeof(int);

    public static nint SocketOf(ENetHost* host) => OperatingSystem.IsWindows() ? *(nint*)host : *(int*)host;

    public static ENetAddress AddressOf(ENetHost* host) => *(ENetAddress*)((byte*)host + HostAddressOffset);
}
