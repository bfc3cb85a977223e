using System.Reflection;
using NetCoreNetworkBenchmark.AdapterKit.ENet;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>Upstream libenet through a thin binding of the harness.</summary>
public sealed class ENetBenchmark : INetworkBenchmark
{
    // enet_packet_create takes more, but a host refuses packets above ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE.
    private const int LargestMessage = 32 * 1024 * 1024;

    public string Name => "ENet";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = EnetLibrary.Version,
        Protocols = [Protocol.Udp],
        Transmissions = ENetRules.Transmissions(LargestMessage, "protocol.h"),
        ServerPushTransports = [Protocol.Udp],
        BroadcastTransports = [Protocol.Udp],
        UpdateTransports = [Protocol.Udp],
        Channels = 2,
        ClientThreadsByPlan = true,
        Settings = [ENetRules.Throttle],

        // ENetAddress holds 32 bits (enet.h).
        Addresses = AddressSupport.IPv4,
        MaxClients = EnetH.ENET_PROTOCOL_MAXIMUM_PEER_ID,
        CountsUnsolicitedDatagrams = false,
        FindFault = ENetRules.FindFault,
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

internal static class EnetLibrary
{
    private static readonly Lazy<string?> s_problem = new(Load);

    public static string? Problem => s_problem.Value;

    public static string Version => Problem is null ? Format(EnetH.enet_linked_version()) : "-";

    // The soname is used: a plain "libenet.so" may be that of the fork, which has another ABI.
    private static string[] Names =>
        OperatingSystem.IsWindows() ? ["enet.dll", "libenet.dll", "libenet-7.dll"]
        : OperatingSystem.IsMacOS() ? ["libenet.dylib", "libenet.7.dylib", "/opt/homebrew/lib/libenet.dylib", "/usr/local/lib/libenet.dylib"]
        : ["libenet.so.7"];

    private static string? Load()
    {
        NativeLibrary.SetDllImportResolver(Assembly.GetExecutingAssembly(), Resolve);
        if (TryLoad() == 0)
        {
            string remedy = OperatingSystem.IsWindows() ? "put an enet.dll of it, such as that of 'vcpkg install enet', beside the program or on the PATH"
                : OperatingSystem.IsMacOS() ? "install it with 'brew install enet'"
                : "install it with 'apt-get install libenet7', or your system's package of ENet 1.3";
            return $"{Names[0]} (ENet 1.3) was not found on this machine; {remedy}";
        }

        return ProblemOf(EnetH.enet_linked_version()) ?? (EnetH.enet_initialize() == 0 ? null : "enet_initialize failed");
    }

    /// <summary>Null if the version can be used. The fork of ENet-CSharp has the same file name and another ABI.</summary>
    internal static string? ProblemOf(uint version) => Format(version) is var text && text.StartsWith("1.3.", StringComparison.Ordinal)
        ? null
        : $"{Names[0]} is version {text}, and ENet 1.3 is required: the file of the package ENet-CSharp is another library";

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? path) => name == EnetH.Library ? TryLoad() : 0;

    private static nint TryLoad() => Names
        .Select(name => NativeLibrary.TryLoad(name, Assembly.GetExecutingAssembly(), null, out nint handle) ? handle : 0)
        .FirstOrDefault(handle => handle != 0);

    // ENET_VERSION_GET_MAJOR, _MINOR and _PATCH of enet.h.
    private static string Format(uint version) => $"{(version >> 16) & 0xFF}.{(version >> 8) & 0xFF}.{version & 0xFF}";
}
