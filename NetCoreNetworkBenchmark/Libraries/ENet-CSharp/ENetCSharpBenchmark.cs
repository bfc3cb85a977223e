using ENet;
using NetCoreNetworkBenchmark.AdapterKit.ENet;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

/// <summary>ENet-CSharp, nxrighthere's fork of ENet with its own wrapper, served as upstream libenet is, so that the two can be compared.</summary>
public sealed class ENetCSharpBenchmark : INetworkBenchmark
{
    // enet.h of the fork: ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE.
    private const int LargestMessage = 32 * 1024 * 1024;

    private static readonly Lazy<string?> s_problem = new(Initialize);

    public string Name => "ENet-CSharp";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = VersionOfWrapper(),
        Protocols = [Protocol.Udp],
        Transmissions = ENetRules.Transmissions(LargestMessage, "enet.h"),
        ServerPushTransports = [Protocol.Udp],
        BroadcastTransports = [Protocol.Udp],
        UpdateTransports = [Protocol.Udp],
        Channels = 2,
        ClientThreadsByPlan = true,
        Settings = [ENetRules.Throttle],
        // The wrapper's addresses have no zone.
        Addresses = AddressSupport.WithoutZone,
        MaxClients = (int)Library.maxPeers,
        CountsUnsolicitedDatagrams = false,
        FindFault = ENetRules.FindFault,
        Unavailable = s_problem.Value,
    };

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        AddressRules.Require(Info, setup.EndPoint.Address);
        return PolledServer.Start(Name, setup, (loop, each) => new PolledENetServer<ENetCSharpHost, Peer>(
            each, loop, ENetCSharpHost.Bind(each, out IPEndPoint endPoint), endPoint));
    }

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        AddressRules.Require(Info, setup.EndPoint.Address);
        return PolledClientGroup.ConnectAsync(
            Name,
            setup,
            (loop, observer) => new PolledENetClient<ENetCSharpHost, Peer>(setup, loop, observer, ENetCSharpHost.Connect(setup, out Peer server), server),
            cancellationToken);
    }

    private static string? Initialize()
    {
        try
        {
            return Library.Initialize() ? null : "enet_initialize of ENet-CSharp failed";
        }
        catch (Exception exception) when (exception is DllNotFoundException or InvalidOperationException or BadImageFormatException)
        {
            return $"the native library of ENet-CSharp cannot be loaded on this system ({exception.Message.Split('\n')[0].TrimEnd('.', '\r')})";
        }
    }

    // The wrapper's constant, read from the loaded assembly: the compiler would inline that of the one which it compiles against.
    private static string VersionOfWrapper()
    {
        uint version = (uint)typeof(Library).GetField(nameof(Library.version))!.GetRawConstantValue()!;
        return string.Create(CultureInfo.InvariantCulture, $"{(version >> 16) & 0xFF}.{(version >> 8) & 0xFF}.{version & 0xFF}");
    }
}
