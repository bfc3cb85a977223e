using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

/// <summary>
/// <c>-b=networks</c>: a small multiplayer game at 60 Hz over kinds of networks, and the goodput of a reliable stream over distances (Docs/networks.md).
/// </summary>
internal static class NetworkBenchmarks
{
    // The 95 % interval of order statistics requires six.
    private const int Launches = 6;

    private const int Players = 20;
    private const double RateOfPlayer = 60;
    private const int BytesOfPlayer = 100;

    private const int BytesOfStream = 1_000;

    // A library with a small window takes some seconds for them after the measurement.
    private const int MessagesOfStream = 400;
    private static readonly int[] s_roundTrips = [30, 140, 280];
    private static readonly double[] s_losses = [0, 0.01];

    // Without retransmission, an answer arrives within some round trips or never. Behind many messages in flight, one may wait for long.
    private static readonly TimeSpan s_unreliableDeadline = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_streamDeadline = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan s_warmUpOfGame = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_game = TimeSpan.FromSeconds(1.5);

    private static readonly string[] s_networks = ["4g", "ocean"];

    private static readonly Delivery[] s_deliveries =
    [
        new("unreliable", Protocol.Udp, Transmission.Unreliable, library => IsReliable(library) || library.IsBaseline),
        new("reliable", Protocol.Udp, Transmission.Reliable, IsReliable),
        new("TCP", Protocol.Tcp, Transmission.Reliable, library => library.IsBaseline),
        new("QUIC", Protocol.Quic, Transmission.Reliable, library => library.Protocols.Contains(Protocol.Quic)),
    ];

    public static readonly BenchmarkPart Part = new("networks", Create) { HasSlices = false, HasNetworks = true };

    private static IEnumerable<Benchmark> Create(PartTemplates templates)
    {
        NetworkProfile[] networks =
        [
            .. (templates.Networks is [] ? s_networks : templates.Networks)
                .Select(name => NetworkProfile.All.First(profile => profile.Name == name)),
        ];
        return
        [
            .. from network in networks
               from delivery in s_deliveries
               select GameOver(network.Name, network.Impairment with { Network = network.Name }, delivery, templates),
            .. from network in templates.Networks is [] ? [] : networks
               from delivery in s_deliveries[1..]
               select StreamOver($"Goodput, {network.Name}", network.Impairment with { Network = network.Name }, delivery, templates),
            .. from roundTrip in templates.Networks is [] ? s_roundTrips : []
               from loss in s_losses
               from delivery in s_deliveries[1..]
               let impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(roundTrip / 2.0), Loss = loss }
               select StreamOver(Invariant($"Goodput, {roundTrip} ms, {loss * 100:0.#} % loss"), impairment, delivery, templates),
        ];
    }

    private static Benchmark GameOver(string title, ImpairmentPlan impairment, Delivery delivery, PartTemplates templates)
    {
        RunPlan plan = templates.Brief with
        {
            WarmUp = Within(s_warmUpOfGame, templates),
            Duration = Within(s_game, templates),
            Clients = Players,
            Rate = Players * RateOfPlayer,
            MessageSize = BytesOfPlayer,
            LossDeadline = delivery.Transmission == Transmission.Unreliable ? s_unreliableDeadline : templates.Brief.LossDeadline,
        };
        return Over(title, "Delivery", plan, impairment, delivery, templates);
    }

    private static Benchmark StreamOver(string title, ImpairmentPlan impairment, Delivery delivery, PartTemplates templates)
    {
        RunPlan plan = templates.Original with
        {
            Duration = templates.Brief.Duration,
            Clients = 1,
            ParallelMessages = MessagesOfStream,
            MessageSize = BytesOfStream,
            LossDeadline = s_streamDeadline,
        };
        Benchmark stream = Over(title, "Goodput of a reliable stream", plan, impairment, delivery, templates);
        return stream with { WithTunedProfiles = delivery.Protocol == Protocol.Udp };
    }

    private static Benchmark Over(
        string title, string part, RunPlan plan, ImpairmentPlan impairment, Delivery delivery, PartTemplates templates)
    {
        IWorkload workload = templates.With(BenchmarkRole.Standard);
        plan = plan with { Test = workload.Name, Protocol = delivery.Protocol, Transmission = delivery.Transmission, Impairment = impairment };
        return new Benchmark(title, workload, plan, Launches) { Part = part, Variant = delivery.Name, Condition = delivery.Condition };
    }

    private static TimeSpan Within(TimeSpan time, PartTemplates templates) =>
        time < templates.Original.Duration ? time : templates.Original.Duration;

    private static bool IsReliable(LibraryInfo library) => library.Find(Protocol.Udp, Transmission.Reliable) is not null;

    private sealed record Delivery(string Name, Protocol Protocol, Transmission Transmission, Func<LibraryInfo, bool> Condition);
}
