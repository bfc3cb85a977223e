namespace NetCoreNetworkBenchmark.Plans;

/// <summary>A kind of network with its impairments in each direction.</summary>
/// <param name="Name">The name by which the user selects it (<c>--network</c>).</param>
/// <param name="Summary">What it stands for.</param>
/// <param name="Impairment">The impairments.</param>
/// <param name="Source">Where the numbers are from, as a clause.</param>
public sealed record NetworkProfile(string Name, string Summary, ImpairmentPlan Impairment, string Source)
{
    private const string UnityTools = "Unity's NetworkSimulatorPresets (com.unity.multiplayer.tools 2.2)";
    private const string UnityNetCode = "Unity's SimulatorPreset (com.unity.netcode 1.0)";

    /// <summary>All kinds, in the order in which they are listed.</summary>
    public static IReadOnlyList<NetworkProfile> All { get; } =
    [
        Create("lan", "wired network of a house", 1, 1, 0, $"{UnityNetCode}: LAN, without its loss of 1 %"),
        Create("wifi", "broadband at home over Wi-Fi", 32, 12, 0.02, $"{UnityTools}: Home Broadband"),
        Create("wifi-busy", "the same with others who download", 50, 50, 0.01, $"{UnityTools}: Home Broadband with Congested Network"),
        Create("4g", "LTE", 100, 20, 0.04, $"{UnityTools}: Mobile 4G"),
        Create("4g-poor", "LTE of the slowest 5 % of players", 185, 15, 0.06, $"{UnityNetCode}: 4G, Regional, 95th percentile"),
        Create("5g", "5G", 30, 20, 0.04, $"{UnityTools}: Mobile 5G"),
        Create("satellite", "low Earth orbit", 100, 10, 0, $"{UnityTools}: Home Satellite"),
        Create("ocean", "a server on another continent", 75, 0, 0, "a round trip of 150 ms, as over 15,000 km of fibre (200,000 km/s)"),
        Create("ocean-far", "a server on the other side of the Earth", 140, 0, 0, "a round trip of 280 ms, as over 28,000 km of fibre (200,000 km/s)"),
        new(
            "bufferbloat",
            "a line of 10 Mbit/s with a queue of a second",
            new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(10), BandwidthBitsPerSecond = 10_000_000, Queue = TimeSpan.FromSeconds(1) },
            "queues of a second in Kreibich et al., Netalyzr: Illuminating the Edge Network (IMC 2010)"),
    ];

    /// <summary>The impairments with the name of the network.</summary>
    public ImpairmentPlan Named => Impairment with { Network = Name };

    private static NetworkProfile Create(string name, string summary, int delay, int jitter, double loss, string source) => new(
        name,
        summary,
        new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(delay), Jitter = TimeSpan.FromMilliseconds(jitter), Loss = loss },
        source);
}
