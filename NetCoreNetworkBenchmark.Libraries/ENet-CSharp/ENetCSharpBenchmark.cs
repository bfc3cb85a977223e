using ENet;
using NetCoreNetworkBenchmark.AdapterKit.ENet;

namespace NetCoreNetworkBenchmark.Libraries.ENetCSharp;

/// <summary>ENet-CSharp, nxrighthere's fork of ENet with its own wrapper, served as upstream libenet is, so that the two can be compared.</summary>
public sealed class ENetCSharpBenchmark : INetworkBenchmark
{
    private static readonly Lazy<string?> s_problem = new(Initialize);

    public string Name => "ENet-CSharp";

    public LibraryInfo Info => field ??= ENetAdapter.Describe(Name, VersionOfWrapper(), "enet.h") with
    {
        // The wrapper's addresses have no zone.
        Addresses = AddressSupport.WithoutZone,
        MaxClients = (int)Library.maxPeers,
        Unavailable = s_problem.Value,
    };

    public IBenchmarkServer StartServer(ServerSetup setup) => ENetAdapter.StartServer<ENetCSharpHost, Peer>(Info, setup, ENetCSharpHost.Bind);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        ENetAdapter.ConnectAsync<ENetCSharpHost, Peer>(Info, setup, ENetCSharpHost.Connect, cancellationToken);

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
    private static string VersionOfWrapper() =>
        ENetAdapter.FormatVersion((uint)typeof(Library).GetField(nameof(Library.version))!.GetRawConstantValue()!);
}
