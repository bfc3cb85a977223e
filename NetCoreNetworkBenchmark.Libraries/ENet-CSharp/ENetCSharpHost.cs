using ENet;
using NetCoreNetworkBenchmark.AdapterKit.ENet;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

internal struct ENetCSharpHost : IENetHost<Peer>
{
    private readonly Host _host;
    private readonly byte[] _buffer;
    private readonly PacketFlags _unreliable;
    private Event _current;

    private ENetCSharpHost(Host host, RunPlan plan, int receiveBuffer)
    {
        _host = host;

        // One byte more than a message has, so that a message that grew is detected.
        _buffer = new byte[plan.MessageSize + 1];

        // Unthrottled, as with upstream ENet: unreliable packets are not dropped at the sender when round trips become longer.
        _unreliable = PacketFlags.UnreliableFragmented | (ENetAdapter.IsThrottled(plan) ? PacketFlags.None : PacketFlags.Unthrottled);
        SocketBuffers.Reserve(SocketHandle, receiveBuffer);
    }

    // The wrapper hides its socket; the native host begins with it (enet.h of the fork), as upstream's does.
    public readonly unsafe nint SocketHandle => OperatingSystem.IsWindows() ? *(nint*)NativeHost(_host) : *(int*)NativeHost(_host);

    public readonly Peer Peer => _current.Peer;

    public static (ENetCSharpHost Host, IPEndPoint EndPoint) Bind(ServerSetup setup)
    {
        // The wrapper does not report the port that the system chose.
        IPEndPoint endPoint = setup.EndPoint.Port == 0 ? ServerSocket.FreeEndPoint(setup) : setup.EndPoint;
        var host = new Host();
        try
        {
            host.Create(ToENet(endPoint), setup.Plan.Clients, ENetChannel.CountFor(setup.Plan));
        }
        catch (InvalidOperationException)
        {
            throw BindFailure.Diagnose(endPoint, "ENet-CSharp");
        }

        return (new ENetCSharpHost(host, setup.Plan, SocketBuffers.NeededByServer(setup.Plan)), endPoint);
    }

    public static (ENetCSharpHost Host, Peer Server) Connect(ClientSetup setup)
    {
        var host = new Host();
        host.Create(peerLimit: 1, ENetChannel.CountFor(setup.Plan));
        Peer server = host.Connect(ToENet(setup.EndPoint), ENetChannel.CountFor(setup.Plan));
        var client = new ENetCSharpHost(host, setup.Plan, SocketBuffers.NeededByClient(setup.Plan));
        client.Flush();
        return (client, server);
    }

    public ENetEventKind Service() => KindOf(_host.Service(0, out _current));

    public ENetEventKind CheckEvents() => KindOf(_host.CheckEvents(out _current));

    public readonly unsafe ReadOnlySpan<byte> Read()
    {
        Packet packet = _current.Packet;
        int length = Math.Min(packet.Length, _buffer.Length);
        new ReadOnlySpan<byte>((void*)packet.Data, length).CopyTo(_buffer);
        return _buffer.AsSpan(0, length);
    }

    public readonly void Release() => _current.Packet.Dispose();

    public readonly bool Send(Peer peer, ReadOnlySpan<byte> message, byte channel)
    {
        Packet packet = CreatePacket(message, channel);
        if (peer.Send(channel, ref packet))
        {
            return true;
        }

        packet.Dispose();
        return false;
    }

    public readonly bool Broadcast(ReadOnlySpan<byte> message, byte channel)
    {
        Packet packet = CreatePacket(message, channel);
        _host.Broadcast(channel, ref packet);
        return true;
    }

    public readonly void Flush() => _host.Flush();

    public readonly int IndexOf(Peer peer) => (int)peer.ID;

    public readonly void Disconnect(Peer peer) => peer.DisconnectNow(0);

    public readonly void Destroy() => _host.Dispose();

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "nativeHost")]
    private static extern ref nint NativeHost(Host host);

    // The wrapper's sockets are IPv6 sockets, which hold IPv4 addresses in mapped form, so both families work.
    private static Address ToENet(IPEndPoint endPoint)
    {
        var address = new Address { Port = (ushort)endPoint.Port };
        return address.SetIP(endPoint.Address.ToString())
            ? address
            : throw new BenchmarkException($"ENet-CSharp does not accept the address {endPoint.Address}.");
    }

    private readonly unsafe Packet CreatePacket(ReadOnlySpan<byte> message, byte channel)
    {
        PacketFlags flags = channel == ENetChannel.Unreliable ? _unreliable : PacketFlags.Reliable;
        Packet packet = default;
        fixed (byte* data = message)
        {
            packet.Create((nint)data, message.Length, flags);
        }

        return packet;
    }

    private readonly ENetEventKind KindOf(int result)
    {
        if (result <= 0)
        {
            return (ENetEventKind)result;
        }

        if (_current.Type == EventType.Connect)
        {
            _current.Peer.Timeout(0, PeerTimeout.LongestMilliseconds, PeerTimeout.LongestMilliseconds);
        }

        return _current.Type switch
        {
            EventType.Receive => ENetEventKind.Received,
            EventType.Connect => ENetEventKind.Connected,
            _ => ENetEventKind.Disconnected,
        };
    }
}
