namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=roaming</c>: clients that get a new address, and an outage (Docs/networks.md).</summary>
public sealed class RoamingPart : IBenchmarkPart
{
    private const int Clients = 10;
    private const double RateOfClient = 20;
    private const int BytesOfMessage = 100;
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(2);

    // The round trip of a mobile phone, so that a message that leaves some milliseconds late is no fault of the clients.
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(100);

    // One event in each measurement, and a second at least to go on. The relay counts from the start of the load, which is before that of the warm-up.
    private static readonly (string Title, TimeSpan Duration, ImpairmentPlan Impairment)[] s_events =
    [
        (
            "A new address",
            TimeSpan.FromSeconds(5),
            new ImpairmentPlan { Delay = s_delay, Roam = TimeSpan.FromSeconds(3.5) }),
        (
            "No network for a second",
            TimeSpan.FromSeconds(6),
            new ImpairmentPlan { Delay = s_delay, Outage = new Interruption(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(4.5)) }),
    ];

    private static readonly Delivery s_withoutConnections = Delivery.Unreliable with { Condition = library => library.IsBaseline };

    public string Name => "roaming";

    public bool HasSlices => false;

    public IEnumerable<Benchmark> Create(PartTemplates templates) =>
        from network in s_events
        from delivery in (Delivery[])[s_withoutConnections, .. Delivery.InOrder]
        where network.Impairment.Roam is null ? delivery != s_withoutConnections : delivery.Protocol != Protocol.Tcp
        select delivery.Over(network.Impairment, network.Title, "Roaming", new PingPong(), templates.Brief with
        {
            Duration = network.Duration,
            Clients = Clients,
            Rate = Clients * RateOfClient,
            MessageSize = BytesOfMessage,
            LossDeadline = s_deadline,
        }) with
        {
            WithTunedProfiles = network.Impairment.Roam is not null && delivery.Transmission == Transmission.Reliable,
            VariedSettings = network.Impairment.Roam is null ? [] : ["roaming"],
        };
}
