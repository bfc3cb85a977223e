using static NetCoreNetworkBenchmark.Tests.Reports.SampleResults;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Searches of the samples.</summary>
internal static class SampleSearches
{
    public static SweepResult Sweep { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Plan = Valid.Plan with { Limits = [new RunLimit(LimitKind.Latency, 5_000, 99, "p99=5ms")] },
        LibraryVersion = "1.3.17",
        Limits = ["p99=5ms"],
        StartedAt = Valid.Clients.StartedAt,
        Steps =
        [
            new SearchStep(1_000, null, OpenLoop),
            new SearchStep(1_500, "p99 was 5.25 ms", OpenLoop.WithClients(clients => clients with { Latency = clients.Latency with { Count = 999 } }).As("2")),
            new SearchStep(2_000, "p99 was 6.5 ms", OpenLoop.As("3")), new SearchStep(4_000, "It hung.", null),
        ],
        HighestRate = 1_000,
        Conclusion = "At 1,500 msg/s: p99 was 5.25 ms.",
        Aborted = false,
        Environment = Valid.Environment,
        Command = "NetCoreNetworkBenchmark --library ENet --sweep --limit p99=5ms",
    };

    public static SweepResult Players { get; } = Sweep with
    {
        Plan = PlayersOf(2, 0).Plan with { Limits = [PlanValues.Limit("--limit", "age.p99=150ms"), PlanValues.Limit("--limit", "loss=1%")] },
        Variable = SweepVariable.Clients,
        Limits = ["age.p99=150ms", "loss=1%"],
        Steps = [new SearchStep(100, null, PlayersOf(100, age: 76)), new SearchStep(200, "age.p99 was 180.224 ms", PlayersOf(200, age: 180))],
        HighestRate = null,
        HighestClients = 100,
        Conclusion = "At 200 clients: age.p99 was 180.224 ms.",
        Command = "NetCoreNetworkBenchmark --test Snapshots --library ENet --limit age.p99=150ms --limit loss=1% --sweep clients",
    };

    public static SweepsResult Sweeps { get; } = new()
    {
        HarnessVersion = Sweep.HarnessVersion,
        Sweeps =
        [
            Players,
            Players with
            {
                Plan = Players.Plan with { Library = "LiteNetLib" },
                HighestClients = 200,
                Conclusion = "LiteNetLib allows no more than 200.",
                Steps = [new SearchStep(200, null, PlayersOf(200, age: 90))],
            },
            Players with
            {
                Plan = Players.Plan with { Library = "kcp2k" },
                HighestClients = null,
                Conclusion = "At 100 clients: It hung.",
                Steps = [new SearchStep(100, "It hung.", null)],
            },
        ],
        Aborted = false,
        Environment = Valid.Environment,
        Command = "NetCoreNetworkBenchmark --test Snapshots --library ENet,LiteNetLib,kcp2k --limit age.p99=150ms --limit loss=1% --sweep clients",
    };

    public static CapacityResult MaxClients { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Plan = Valid.Plan with { Test = "MaxClients", LossDeadline = TimeSpan.FromSeconds(1.5) },
        LibraryVersion = "1.3.17",
        StartedAt = Valid.Clients.StartedAt,
        Bound = 4_095,
        BoundBy = ClientBoundKind.Protocol,
        Steps =
        [
            new SearchStep(1_000, null, CapacityOf(0.12345, 1_000, new ServerMemory(50_000_000, 51_234_567, 1_000_000, 999_000, 1_000))),
            new SearchStep(
                1_500, "3 of 1,500 clients had no answer within 1.5 s",
                CapacityOf(1.5, 1_497, new ServerMemory(50_000_000, 52_000_000, 1_000_000, 1_150_000, 1_500)).WithLatency(null)
                    .WithErrors(("client lost its server", 3))),
            new SearchStep(2_000, "Only 1999 of 2000 clients connected to 127.0.0.1:3333 within 15 s.", null),
        ],
        HighestClients = 1_000,
        Conclusion = "At 1,500: 3 of 1,500 clients had no answer within 1.5 s.",
        Aborted = true,
        Fitness = Valid.Fitness,
        Environment = Valid.Environment,
        Command = "NetCoreNetworkBenchmark --test MaxClients --library ENet",
    };

    private static RunResult PlayersOf(int clients, double age)
    {
        var ages = new LatencyHistogram();
        foreach (double milliseconds in Enumerable.Repeat(age / 2, 90).Concat(Enumerable.Repeat(age, 10)))
        {
            ages.Record((long)(milliseconds * 1e6));
        }

        return SampleResults.Multicast
            .As(FormattableString.Invariant($"{clients} {age}"))
            .WithPlan(plan => plan with
            {
                Test = "Snapshots",
                Clients = clients,
                Address = "127.0.0.1",
                Rate = clients * 20,
                Tick = TimeSpan.FromMilliseconds(50),
            })
            .WithClients(report => report with { Distributions = [new NamedLatency(WorkloadFigure.AgeOfState, LatencyReport.From(ages))] })
            .WithServer(server => server with { Sent = 100_000, SentLate = 123 }) with
        { Address = "127.0.0.1" };
    }

    private static RunResult CapacityOf(double connectSeconds, long served, ServerMemory memory) => Valid.As($"{served}").WithPlan(plan => plan with
    {
        Test = "MaxClients",
        Clients = memory.Clients,
    }).WithClients(clients => clients with
    {
        Clients = memory.Clients,
        ConnectSeconds = connectSeconds,
        Measured = clients.Measured with { ClientReceived = served },
        Figures = [new WorkloadFigure(WorkloadFigure.ClientsServed, served, string.Empty, FigureMerge.Sum)],
    }) with
    {
        ServerMemory = memory,
    };
}
