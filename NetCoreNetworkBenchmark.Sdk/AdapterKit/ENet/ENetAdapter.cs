using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.AdapterKit.ENet;

/// <summary>The parts that the adapters of ENet and its forks share.</summary>
public static class ENetAdapter
{
    // ENET_HOST_DEFAULT_MAXIMUM_PACKET_SIZE. A host refuses packets above it, although enet_packet_create takes more.
    private const int LargestMessage = 32 * 1024 * 1024;

    // Of ENetProtocolHeader (with its time for reliable messages) and ENetProtocolSendUnreliable or ENetProtocolSendReliable.
    private const int Overhead = 10;

    /// <summary>The setting of the packet throttle, by which ENet drops unreliable packets at the sender when round trips become longer.</summary>
    public static LibrarySetting Throttle { get; } = new(
        "throttle", ["off", "on"], Default: "off", "ENet's packet throttle, which drops unreliable messages at the sender when round trips become longer");

    /// <summary>Describes a library with ENet's protocol.</summary>
    /// <param name="name">The name of the library.</param>
    /// <param name="version">The version of the library.</param>
    /// <param name="header">The file in which the structs of the protocol are declared.</param>
    public static LibraryInfo Describe(string name, string version, string header) => new()
    {
        Name = name,
        Version = version,
        Protocols = [Protocol.Udp],
        Transmissions =
        [
            new TransmissionInfo(Transmission.Unreliable, Overhead, LargestMessage)
            {
                OverheadParts = $"2 of ENetProtocolHeader and 8 of ENetProtocolSendUnreliable ({header})",
            },
            new TransmissionInfo(Transmission.Reliable, Overhead, LargestMessage)
            {
                OverheadParts = $"4 of ENetProtocolHeader with its time and 6 of ENetProtocolSendReliable ({header})",
            },
        ],
        ServerPushTransports = [Protocol.Udp],
        BroadcastTransports = [Protocol.Udp],
        UpdateTransports = [Protocol.Udp],
        Channels = 2,
        ClientThreadsByPlan = true,
        Settings = [Throttle],
        CountsUnsolicitedDatagrams = false,
        FindFault = FindFault,
    };

    /// <summary>Formats a version as <c>ENET_VERSION_CREATE</c> of enet.h makes it.</summary>
    public static string FormatVersion(uint version) => $"{(version >> 16) & 0xFF}.{(version >> 8) & 0xFF}.{version & 0xFF}";

    /// <summary>Returns whether the packet throttle stays as it is by default in the library.</summary>
    public static bool IsThrottled(RunPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return plan.SettingOf(Throttle) == "on";
    }

    /// <summary>Starts a server on hosts that are bound by the library.</summary>
    public static IBenchmarkServer StartServer<THost, TPeer>(
        LibraryInfo library, ServerSetup setup, Func<ServerSetup, (THost Host, IPEndPoint EndPoint)> bind)
        where THost : struct, IENetHost<TPeer>
    {
        ArgumentNullException.ThrowIfNull(library);
        ArgumentNullException.ThrowIfNull(setup);
        AddressRules.Require(library, setup.EndPoint.Address);
        return PolledServer.Start(library.Name, setup, (loop, each) =>
        {
            (THost host, IPEndPoint endPoint) = bind(each);
            return new PolledENetServer<THost, TPeer>(each, loop, host, endPoint);
        });
    }

    /// <summary>Connects clients, each with a host that the library connects to the server.</summary>
    public static Task<IClientGroup> ConnectAsync<THost, TPeer>(
        LibraryInfo library, ClientSetup setup, Func<ClientSetup, (THost Host, TPeer Server)> connect, CancellationToken cancellationToken)
        where THost : struct, IENetHost<TPeer>
    {
        ArgumentNullException.ThrowIfNull(library);
        ArgumentNullException.ThrowIfNull(setup);
        AddressRules.Require(library, setup.EndPoint.Address);
        return PolledClientGroup.ConnectAsync(
            library.Name,
            setup,
            (loop, observer) =>
            {
                (THost host, TPeer server) = connect(setup);
                return new PolledENetClient<THost, TPeer>(setup, loop, observer, host, server);
            },
            cancellationToken);
    }

    // ENet queues reliable messages of a server without a limit.
    private static BenchmarkException? FindFault(RunPlan plan, IWorkload workload) =>
        workload.LatencyKind == LatencyKind.OneWay && plan is { Rate: null, Transmission: Transmission.Reliable }
            ? BenchmarkException.BadInput($"--rate: {plan.Library} queues reliable messages of {plan.Test} without a limit. Set a rate, such as --rate 10000.")
            : null;
}
