namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=networks</c>: a game at 60 Hz over kinds of networks, and the goodput of a reliable stream over distances (Docs/networks.md).</summary>
public sealed class NetworksPart : IBenchmarkPart
{
    private const int Players = 20;
    private const double RateOfPlayer = 60;
    private const int BytesOfPlayer = 100;

    private const int BytesOfStream = 1_000;

    // A library with a small window takes some seconds for them after the measurement, and longer over a network that loses many of them.
    private const int MessagesOfStream = 400;
    private const int MessagesOverNetwork = 200;
    private static readonly int[] s_roundTrips = [30, 140, 280];
    private static readonly double[] s_losses = [0, 0.01];

    // Without retransmission, an answer arrives within some round trips or never. Behind many messages in flight, one may wait for long.
    private static readonly TimeSpan s_unreliableDeadline = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_streamDeadline = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan s_warmUpOfGame = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_game = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_streamOverNetwork = TimeSpan.FromSeconds(1.5);

    public string Name => "networks";

    public bool HasSlices => false;

    public bool HasNetworks => true;

    /// <summary>A closed loop that shows how much a reliable stream carries.</summary>
    internal static RunPlan StreamOf(PartTemplates templates) => templates.Brief with
    {
        Clients = 1,
        ParallelMessages = MessagesOfStream,
        MessageSize = BytesOfStream,
        LossDeadline = s_streamDeadline,
    };

    public IEnumerable<Benchmark> Create(PartTemplates templates)
    {
        NetworkProfile[] networks = Delivery.NetworksOf(templates, "4g");
        return
        [
            .. from network in networks
               from delivery in (Delivery[])[Delivery.Unreliable, .. Delivery.InOrder]
               select GameOver(network, delivery, templates),
            .. from network in templates.Networks is [] ? [] : networks
               from delivery in Delivery.InOrder
               select StreamOverNetwork(network, delivery, templates),
            .. from roundTrip in templates.Networks is [] ? s_roundTrips : []
               from loss in s_losses
               from delivery in Delivery.InOrder
               let impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(roundTrip / 2.0), Loss = loss }
               select StreamOver(
                   Invariant($"Goodput, {roundTrip} ms, {loss * 100:0.#} % loss"), impairment, delivery, StreamOf(templates)) with
               {
                   VariedSettings = ["congestion", "parameters"],
               },
        ];
    }

    private static Benchmark GameOver(NetworkProfile network, Delivery delivery, PartTemplates templates)
    {
        RunPlan plan = templates.Brief with
        {
            WarmUp = templates.Limit(s_warmUpOfGame),
            Duration = templates.Limit(s_game),
            Clients = Players,
            Rate = Players * RateOfPlayer,
            MessageSize = BytesOfPlayer,
            LossDeadline = delivery.Transmission == Transmission.Unreliable ? s_unreliableDeadline : templates.Brief.LossDeadline,
        };
        return delivery.Over(network.Named, network.Name, "Delivery", new PingPong(), plan);
    }

    // The algorithms of TCP differ most over a distance, and each takes a minute here.
    private static Benchmark StreamOverNetwork(NetworkProfile network, Delivery delivery, PartTemplates templates)
    {
        RunPlan plan = StreamOf(templates) with
        {
            Duration = templates.Limit(s_streamOverNetwork),
            ParallelMessages = MessagesOverNetwork,
        };
        return StreamOver($"Goodput, {network.Name}", network.Named, delivery, plan) with { VariedSettings = ["parameters"] };
    }

    private static Benchmark StreamOver(string title, ImpairmentPlan impairment, Delivery delivery, RunPlan plan) =>
        delivery.Over(impairment, title, "Goodput of a reliable stream", new PingPong(), plan);
}
