using NetCoreNetworkBenchmark.Workloads.Bursts;

namespace NetCoreNetworkBenchmark.Benchmarks;

/// <summary><c>-b=framed</c>: the loads of the reference benchmark for framed messages.</summary>
public sealed class FramedPart : IBenchmarkPart
{
    // A burst of large messages has fewer of them, so that it fits in memory.
    private const int BurstMessages = 100;
    private const int BurstBytes = 10_000_000;
    private const int QueryBytes = 2;
    private static readonly int[] s_contents = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

    // With the messages per second over TCP that the reference published, measured on another machine.
    private static readonly (int Clients, int Messages, double Published)[] s_queries = [(5, 10_000, 202_020), (5, 100_000, 290_274), (10, 100_000, 150_262)];
    private static readonly TimeSpan s_queryDeadline = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_heartbeat = TimeSpan.FromSeconds(5);

    public string Name => "framed";

    public IEnumerable<Benchmark> Create(PartTemplates templates)
    {
        RunPlan template = templates.Brief;
        var roundTrip = new RoundTrip();
        var burst = new Burst();
        Protocol[] protocols = [Protocol.Tcp, Protocol.Ssl];
        return
        [
            .. from protocol in protocols
               from size in s_contents
               let plan = PlanOf(template, roundTrip, protocol, 1, 1, size)
               select CaseOf("Round trip", "Group 1: one client, one message in flight", roundTrip, plan, LatenciesOf(Plural.Format(size, "byte"))),
            .. from protocol in protocols
               from size in s_contents
               let plan = PlanOf(template, burst, protocol, 1, Math.Min(BurstMessages, BurstBytes / size), size)
               let row = LatenciesOf(Invariant($"{plan.ParallelMessages:N0} x {Plural.Format(size, "byte")}"))
               select CaseOf("Bursts", "Group 2: one client, bursts", burst, plan, row),
            .. from protocol in protocols
               from query in s_queries
               let plan = PlanOf(template, burst, protocol, query.Clients, query.Messages, QueryBytes)
               select QueryCase(plan, burst, protocol == Protocol.Tcp ? query.Published : null),
        ];
    }

    private static BenchmarkRow LatenciesOf(string load) => new(RowTable.Latencies, load);

    // The time of a query counts from the first message to the last answer, so the load ends by itself.
    private static Benchmark QueryCase(RunPlan plan, IWorkload burst, double? published) => CaseOf(
        "Queries",
        Invariant($"Group 3: several clients, one burst of messages of {QueryBytes} bytes each"),
        burst,
        burst.Complete(burst.Options.Single().Apply(plan with { Duration = s_queryDeadline, LossDeadline = s_queryDeadline }, "1")),
        new BenchmarkRow(RowTable.TotalTimes, Invariant($"{plan.Clients:N0} x {plan.ParallelMessages:N0}")) { Published = published });

    private static Benchmark CaseOf(string title, string part, IWorkload workload, RunPlan plan, BenchmarkRow row)
    {
        string protocol = plan.Protocol.ToString().ToUpperInvariant();

        // One set, because there are many loads.
        return new Benchmark($"{title} {protocol}, {row.Load}", workload, plan) { Launches = 1, Part = $"{part}, {protocol}", Row = row };
    }

    private static RunPlan PlanOf(RunPlan template, IWorkload workload, Protocol protocol, int clients, int messages, int size) =>
        workload.Complete(template with
        {
            Protocol = protocol,
            Transmission = Transmission.Reliable,
            Framing = Framing.Checked,
            Liveness = new LivenessPlan { Heartbeat = s_heartbeat },
            Clients = clients,
            ParallelMessages = messages,
            MessageSize = size,
        });
}
