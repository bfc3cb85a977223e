using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Suites.Parts;

/// <summary><c>-b=loss</c>: a small multiplayer game at 60 Hz (Docs/head-of-line-blocking.md).</summary>
internal static class LossBenchmarks
{
    private const int Clients = 20;
    private const double RateOfClient = 60;
    private const int Bytes = 100;

    // So that the rare losses of the lowest share reach the 99.9th percentile.
    private const int FactorOfDuration = 4;

    // Each way; a round trip has twice as much.
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(10);

    // Without retransmission, an answer arrives within 100 round trips or never.
    private static readonly TimeSpan s_unreliableDeadline = TimeSpan.FromSeconds(2);
    private static readonly double[] s_losses = [0, 0.001, 0.01, 0.05];

    public static readonly BenchmarkPart Part = new("loss", Create) { HasSlices = false };

    private static IEnumerable<Benchmark> Create(PartTemplates templates)
    {
        RunPlan template = templates.Original;
        IWorkload workload = templates.With(BenchmarkRole.Standard);
        static bool IsReliable(LibraryInfo library) => library.Find(Protocol.Udp, Transmission.Reliable) is not null;
        (string Name, Protocol Protocol, Transmission Transmission, Func<LibraryInfo, bool> Condition)[] deliveries =
        [
            ("unreliable", Protocol.Udp, Transmission.Unreliable, library => IsReliable(library) || library.IsBaseline),
            ("reliable", Protocol.Udp, Transmission.Reliable, IsReliable),
            ("TCP", Protocol.Tcp, Transmission.Reliable, library => library.IsBaseline),
            ("QUIC", Protocol.Quic, Transmission.Reliable, library => library.Protocols.Contains(Protocol.Quic)),
        ];
        return
            from loss in s_losses
            from delivery in deliveries
            let plan = template with
            {
                Test = workload.Name,
                Duration = FactorOfDuration * template.Duration,
                Protocol = delivery.Protocol,
                Transmission = delivery.Transmission,
                Clients = Clients,
                Rate = Clients * RateOfClient,
                MessageSize = Bytes,
                LossDeadline = delivery.Transmission == Transmission.Unreliable ? s_unreliableDeadline : template.LossDeadline,
                Impairment = new ImpairmentPlan { Loss = loss, Delay = s_delay },
            }
            select new Benchmark(Invariant($"{loss * 100:0.#} % loss, {2 * s_delay.TotalMilliseconds:0} ms"), workload, plan, PredefinedBenchmarks.Sets)
            {
                Part = "Reliable and unreliable delivery under loss",
                Variant = delivery.Name,
                Condition = delivery.Condition,
            };
    }
}
