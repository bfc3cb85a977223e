using NetCoreNetworkBenchmark.AdapterKit.ENet;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>Upstream libenet through a thin binding of the harness.</summary>
public sealed class ENetBenchmark : INetworkBenchmark
{
    // enet_packet_create takes more, but a host refuses packets above ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE.
    private const int LargestMessage = 32 * 1024 * 1024;

    // protocol.h: 2 bytes ENetProtocolHeader without the time, 8 bytes ENetProtocolSendUnreliable.
    private const int UnreliableOverhead = 10;

    // protocol.h: 4 bytes ENetProtocolHeader with the time, 6 bytes ENetProtocolSendReliable.
    private const int ReliableOverhead = 10;

    public string Name => "ENet";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = EnetLibrary.Version,
        Protocols = [Protocol.Udp],
        Transmissions =
        [
            new TransmissionInfo(Transmission.Unreliable, UnreliableOverhead, LargestMessage),
            new TransmissionInfo(Transmission.Reliable, ReliableOverhead, LargestMessage),
        ],
        ClientThreadsByPlan = true,

        // ENetAddress holds 32 bits (enet.h).
        Addresses = AddressSupport.IPv4,
        MostClients = EnetH.ENET_PROTOCOL_MAXIMUM_PEER_ID,
        CountsUnsolicitedDatagrams = false,
        Unavailable = EnetLibrary.Problem,
    };

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        AddressRules.Require(Info, setup.EndPoint.Address);
        return PolledServer.Start(Name, setup, (loop, each) => new PolledENetServer<LibENetHost, nint>(
            each, loop, LibENetHost.Bind(each, out IPEndPoint endPoint), endPoint));
    }

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        AddressRules.Require(Info, setup.EndPoint.Address);
        return PolledClientGroup.ConnectAsync(
            Name,
            setup,
            (loop, observer) => new PolledENetClient<LibENetHost, nint>(setup, loop, observer, LibENetHost.Connect(setup, out nint server), server),
            cancellationToken);
    }
}
