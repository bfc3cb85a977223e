using LiteNetLib;

namespace NetCoreNetworkBenchmark.Libraries.LiteNetLib;

/// <summary>LiteNetLib in manual mode, without a thread of its own.</summary>
public sealed class LiteNetLibBenchmark : INetworkBenchmark
{
    private static readonly LibrarySetting s_native = new(
        "native", ["off", "on"], Default: "off", "the library's own system calls instead of .NET's sockets (UseNativeSockets)")
    {
        Tuned = "on",
    };

    private static readonly LibrarySetting s_roaming = new(
        "roaming", ["off", "on"], Default: "off", "a connection goes on when the address of its client changes (AllowPeerAddressChange)");

    public string Name => "LiteNetLib";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = typeof(NetManager).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp],
        Transmissions =
        [
            new TransmissionInfo(Transmission.Unreliable, NetConstants.HeaderSize, NetConstants.InitialMtu - NetConstants.HeaderSize)
            {
                OverheadParts = "the header (NetConstants.HeaderSize)",
            },
            new TransmissionInfo(
                Transmission.Reliable,
                NetConstants.ChanneledHeaderSize,
                ushort.MaxValue * (NetConstants.InitialMtu - NetConstants.FragmentedHeaderTotalSize))
            {
                OverheadParts = "the header with sequence number and channel (NetConstants.ChanneledHeaderSize)",
            },
        ],
        Settings = [s_native, s_roaming],
        CountsUnsolicitedDatagrams = false,
        ServerPushTransports = [Protocol.Udp],
        BroadcastTransports = [Protocol.Udp],
        UpdateTransports = [Protocol.Udp],
        Channels = 2,
        ClientThreadsByPlan = true,
    };

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        PolledServer.Start(Info.Name, setup, (loop, each) => new LiteNetLibServer(each, loop));

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        PolledClientGroup.ConnectAsync(
            Info.Name, setup, (loop, observer) => new LiteNetLibClient(setup, loop, observer), cancellationToken);

    internal static bool UsesNativeSockets(RunPlan plan) => plan.SettingOf(s_native) == "on";

    internal static bool Roams(RunPlan plan) => plan.SettingOf(s_roaming) == "on";
}
