using kcp2k;

namespace NetCoreNetworkBenchmark.Libraries.Kcp2k;

/// <summary>kcp2k, the transport of Mirror: KCP for reliable messages, datagrams for unreliable ones.</summary>
public sealed class Kcp2kBenchmark : INetworkBenchmark
{
    private const string Mirror = "mirror";

    private const string MetadataParts = "1 for the channel, 4 for the cookie and 1 for the kind of message (KcpPeer)";
    private const int UnreliableOverhead = KcpPeer.METADATA_SIZE_UNRELIABLE + 1;
    private const int ReliableOverhead = Kcp.OVERHEAD + KcpPeer.METADATA_SIZE_RELIABLE + 1;

    // Mirror's KcpTransport.
    private const int MirrorFastResend = 2;
    private const int MirrorWindow = 4096;
    private const int MirrorRetransmits = Kcp.DEADLINK * 2;

    // Half of KcpPeer.QueueDisconnectThreshold: a connection with more segments in its queues is ended by the library.
    private const int MaxQueuedSegments = 5_000;

    private static readonly LibrarySetting s_parameters = new(
        "parameters", ["library", Mirror], Default: "library", "the parameters of KCP: the library's (windows of 32 and 128 packets), or Mirror's (4,096)")
    {
        Tuned = Mirror,
    };

    private static readonly ThreadLocal<RunRecorder?> s_recorder = new();

    public string Name => "kcp2k";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = typeof(KcpPeer).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp],
        Transmissions =
        [
            new TransmissionInfo(Transmission.Unreliable, UnreliableOverhead, KcpPeer.UnreliableMaxMessageSize(Kcp.MTU_DEF))
            {
                OverheadParts = MetadataParts,
            },
            new TransmissionInfo(Transmission.Reliable, ReliableOverhead, KcpPeer.ReliableMaxMessageSize(Kcp.MTU_DEF, Kcp.WND_RCV))
            {
                OverheadParts = $"{Kcp.OVERHEAD} of KCP's segment, {MetadataParts}",
            },
        ],
        Settings = [s_parameters],
        ServerPushTransports = [Protocol.Udp],
        UpdateTransports = [Protocol.Udp],
        ClientThreadsByPlan = true,

        // The server's Socket.ReceiveFrom and SendTo make an end point and its bytes for each datagram (kcp2k's Extensions.cs).
        AllocatingTransports = [Protocol.Udp],
    };

    public IBenchmarkServer StartServer(ServerSetup setup) => PolledServer.Start(Name, setup, (loop, each) =>
    {
        SetLog();
        loop.Post(() => s_recorder.Value = setup.Recorder);
        return new Kcp2kServer(each, loop);
    });

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => PolledClientGroup.ConnectAsync(
        Name,
        setup,
        (loop, observer) =>
        {
            SetLog();
            s_recorder.Value = setup.Recorder;
            return new Kcp2kClient(setup, loop, observer);
        },
        cancellationToken);

    internal static KcpConfig Configure(RunPlan plan, AddressFamily family)
    {
        // The server receives into an endpoint of the family that this option chooses, so it must be that of the socket.
        bool isIPv6 = family == AddressFamily.InterNetworkV6;
        return plan.SettingOf(s_parameters) == Mirror
            ? new KcpConfig(
                DualMode: isIPv6,
                Timeout: PeerTimeout.LongestMilliseconds,
                FastResend: MirrorFastResend,
                SendWindowSize: MirrorWindow,
                ReceiveWindowSize: MirrorWindow,
                MaxRetransmits: MirrorRetransmits)
            : new KcpConfig(DualMode: isIPv6, Timeout: PeerTimeout.LongestMilliseconds);
    }

    internal static KcpChannel ChannelOf(RunPlan plan) => plan.Transmission == Transmission.Reliable ? KcpChannel.Reliable : KcpChannel.Unreliable;

    /// <summary>The library's own call does not report a full queue.</summary>
    internal static bool IsFull(KcpPeer peer, KcpChannel channel) =>
        channel == KcpChannel.Reliable && peer.SendQueueCount + peer.SendBufferCount >= MaxQueuedSegments;

    /// <summary>A time-out is the reason of the end that the library reports after it.</summary>
    internal static void Count(ErrorCode error, string side, RunRecorder recorder)
    {
        if (error == ErrorCode.Timeout)
        {
            recorder.CountDisconnect($"{side} kcp2k {error}");
        }
        else
        {
            recorder.CountError($"{side} kcp2k {error}");
        }
    }

    /// <summary>The next flush sends the acknowledgement of such a datagram.</summary>
    internal static bool IsReliable(ReadOnlySpan<byte> datagram) => datagram is [(byte)KcpChannel.Reliable, ..];

    // The library has one log, by default to standard output, for warnings about unsolicited datagrams. An error belongs to the recorder of its thread, as
    // each side calls the library on the threads of its own loops alone.
    private static void SetLog()
    {
        Log.Info = static _ => { };
        Log.Warning = static _ => { };
        Log.Error = static _ => s_recorder.Value?.CountError("kcp2k error log");
    }
}
