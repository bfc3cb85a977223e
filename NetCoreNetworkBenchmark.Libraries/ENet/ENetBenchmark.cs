using System.Reflection;
using NetCoreNetworkBenchmark.AdapterKit.ENet;

namespace NetCoreNetworkBenchmark.Libraries.ENet;

/// <summary>Upstream libenet through a thin binding of the harness.</summary>
public sealed class ENetBenchmark : INetworkBenchmark
{
    public string Name => "ENet";

    public LibraryInfo Info => field ??= ENetAdapter.Describe(Name, EnetLibrary.Version, "protocol.h") with
    {
        // ENetAddress holds 32 bits (enet.h).
        Addresses = AddressSupport.IPv4,
        MaxClients = EnetH.ENET_PROTOCOL_MAXIMUM_PEER_ID,
        Unavailable = EnetLibrary.Problem,
    };

    public IBenchmarkServer StartServer(ServerSetup setup) => ENetAdapter.StartServer<LibENetHost, nint>(Info, setup, LibENetHost.Bind);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        ENetAdapter.ConnectAsync<LibENetHost, nint>(Info, setup, LibENetHost.Connect, cancellationToken);
}

internal static class EnetLibrary
{
    private static readonly Lazy<string?> s_problem = new(Load);

    public static string? Problem => s_problem.Value;

    public static string Version => Problem is null ? ENetAdapter.FormatVersion(EnetH.enet_linked_version()) : "-";

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
    internal static string? ProblemOf(uint version) => ENetAdapter.FormatVersion(version) is var text && text.StartsWith("1.3.", StringComparison.Ordinal)
        ? null
        : $"{Names[0]} is version {text}, and ENet 1.3 is required: the file of the package ENet-CSharp is another library";

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? path) => name == EnetH.Library ? TryLoad() : 0;

    private static nint TryLoad() => Names
        .Select(name => NativeLibrary.TryLoad(name, Assembly.GetExecutingAssembly(), null, out nint handle) ? handle : 0)
        .FirstOrDefault(handle => handle != 0);
}
