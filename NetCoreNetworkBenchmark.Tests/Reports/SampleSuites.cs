using static NetCoreNetworkBenchmark.Tests.Reports.SampleResults;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Suites of the samples.</summary>
internal static class SampleSuites
{
    public static SuiteResult Suite { get; } = new()
    {
        HarnessVersion = "1.2.3",
        StartedAt = Valid.Clients.StartedAt,
        Environment = Valid.Environment,
        Fitness = Valid.Fitness,
        LaunchCount = 3,
        Benchmarks =
        [
            new BenchmarkResult("Benchmark 1",
            [
                Case(
                    "ENet", new LaunchResult(1, Valid, null) { Control = 201_234.5 },
                    new LaunchResult(2, Valid.WithRate(27_000) with { Id = IdOf(2) }, null) { Control = 198_765.25 },
                    new LaunchResult(3, Valid.WithRate(18_000).WithServer(_ => Chosen.Server!) with { Id = IdOf(3) }, null)),
                Case("Sockets", new LaunchResult(1, Invalid, Invalid.InvalidReasons[0])),
            ]),
            new BenchmarkResult("Benchmark 2", [Case("ENet", new LaunchResult(1, null, "It hung past its deadline of 46 s and was ended."))]),
        ],
        Missing = [new MissingLibrary("LiteNetLib", "package LiteNetLib 2.1.3 could not be restored when this was built (NU1101)")],
        Aborted = true,
        Command = "NetCoreNetworkBenchmark --benchmark",
    };

    /// <summary>A suite whose cases took turns: a baseline, a faster and a slower library in three sets, and one that failed.</summary>
    public static SuiteResult Turns { get; } = TurnsOf([[20, 41, 19], [200, 404, 198], [100, 202, 99]], ["Slow", "Fast", "Sockets"]);

    /// <summary>A suite without a best library, which has the ratios to the baseline alone.</summary>
    public static SuiteResult ToBaseline { get; } = Turns.WithCases(found => found with { ToBest = null });

    /// <summary>
    /// A first look that was decided but for two pairs: four libraries, two baselines, two closed loops and an open one. The ratios are made by hand.
    /// </summary>
    public static SuiteResult Decided { get; } = Suite with
    {
        Interleaving = new InterleavingMethod(3, null, 0.05, 1) { SettleSeconds = 0.02, LimitSeconds = 40 },
        Aborted = false,
        Fitness = Valid.Fitness with { Warnings = [] },
        Command = "NetCoreNetworkBenchmark --benchmark=quick",
        Missing =
        [
            new MissingLibrary("Kcp2k", "package kcp2k 1.41.8 could not be restored when this was built (NU1101)"), new MissingLibrary("Quic", "no msquic"),
        ],
        Benchmarks =
        [
            RankedOf(
                "Benchmark 1",
                Valid,
                [
                    ("ENet", 0.8, 1.25, 0.04, (1, 2)), ("ENet-CSharp", 0.784, 1.3, 0.04, (1, 2)), ("LiteNetLib", 0.58, 1.75, 0.06, (3, 3)),
                    ("NetCoreServer", 0.41, 2.4, 0.062, (4, 4)), ("Sockets", 1, 1, 0, null), ("Epoll", 1.15, 0.83, 0.03, null),
                ],
                new UndecidedPair("ENet", "ENet-CSharp", new RatioFigure(1.04, 0.99, 1.0925), 165)),
            RankedOf(
                "Benchmark 2",
                Valid.WithRate(812_345.6).WithPlan(plan => plan with { Clients = 100, ParallelMessages = 1_000 }),
                [
                    ("LiteNetLib", 1.9, 0.5, 0.12, (1, 1)), ("ENet", 1.2, 0.71, 0.1, (2, 3)), ("ENet-CSharp", 1.18, 0.72, 0.1, (2, 3)),
                    ("NetCoreServer", 0.3, 3.1, 0.123, (4, 4)), ("Sockets", 1, 1, 0, null), ("Epoll", 1.4, 0.6, 0.08, null),
                ],
                new UndecidedPair("ENet", "ENet-CSharp", new RatioFigure(1.0141, 0.91, 1.13), null)),
            RankedOf(
                "Benchmark 3",
                Valid.WithRate(20_000).WithPlan(plan => plan with { Rate = 20_000 }),
                [
                    ("ENet", 1, 1.2, 0.02, (1, 1)), ("ENet-CSharp", 1, 1.31, 0.02, (2, 2)), ("LiteNetLib", 1, 1.9, 0.02, (3, 3)),
                    ("NetCoreServer", 1, 2.2, 0.02, (4, 4)), ("Sockets", 1, 1, 0, null), ("Epoll", 1, 0.9, 0.02, null),
                ]).WithLatencies(("ENet", 1.3), ("ENet-CSharp", 1.25), ("LiteNetLib", 2.5), ("NetCoreServer", 4), ("Sockets", 1.1), ("Epoll", 0.9)),
        ],
    };

    /// <summary>A first look in which the latencies of an open loop have no intervals.</summary>
    public static SuiteResult WithoutLatencies { get; } = Decided.WithCases(
        found => found.WithLaunches(launch => launch with { Slices = null }) with { ToBest = found.ToBest! with { P50 = null, P99 = null } });

    /// <summary>Two libraries under four loads, of which one is invalid. The ratios are made by hand.</summary>
    public static SuiteResult Matrix { get; } = Decided with
    {
        Command = "NetCoreNetworkBenchmark --library ENet,LiteNetLib --clients 1,1000 --protocol Udp,Tcp",
        Missing = [],
        Varied = ["--clients", "--protocol"],
        Benchmarks =
        [
            .. from clients in (int[])[1, 1000]
               from protocol in (Protocol[])[Protocol.Udp, Protocol.Tcp]
               select RankedOf(
                   FormattableString.Invariant($"PingPong, {protocol}, {clients} clients"),
                   Valid.WithRate((clients * 20) + 1_000).WithPlan(plan => plan with { Clients = clients, Protocol = protocol }),
                   [("ENet", 1, 1, 0, (1, 1)), ("LiteNetLib", 0.8, 1.3, 0.05, (2, 2))]) with
               { Baseline = "ENet" },
        ],
    };

    /// <summary>The benchmark for framed messages: libraries as columns, one that failed, one that is not valid, and one that has no such row.</summary>
    public static SuiteResult Framed { get; } = Suite with
    {
        LaunchCount = 1,
        Interleaving = new InterleavingMethod(1, null, 0.5, 1),
        Missing = [],
        Aborted = false,
        Command = "NetCoreNetworkBenchmark --benchmark=framed",
        Benchmarks =
        [
            FramedOf("Round trip TCP, 1 byte", "Group 1", new BenchmarkRow(RowTable.Latencies, "1 byte"), Single("Epoll"), Single("Sockets")),
            FramedOf("Round trip TCP, 1,000 bytes", "Group 1", new BenchmarkRow(RowTable.Latencies, "1,000 bytes"), Single("Epoll")),
            FramedOf(
                "Bursts TCP, 100 x 1 byte", "Group 2", new BenchmarkRow(RowTable.Latencies, "100 x 1 byte"),
                Single("Epoll").WithPlan(plan => plan with { ParallelMessages = 100 })
                    .WithClients(clients => clients with { Distributions = Burst.Clients.Distributions }),
                Invalid.WithPlan(plan => plan with { ParallelMessages = 100 })),
            FramedOf(
                "Queries TCP, 5 x 10,000", "Group 3", new BenchmarkRow(RowTable.TotalTimes, "5 x 10,000") { Published = 202_020 },
                Burst, Burst.OfLibrary("Epoll")),
            FramedOf("Queries TCP, 5 x 100,000", "Group 3", new BenchmarkRow(RowTable.TotalTimes, "5 x 100,000"), null, Burst.OfLibrary("Epoll")),
        ],
    };

    /// <summary>The benchmark under loss: a case for each delivery, one that is not valid, and one that failed.</summary>
    public static SuiteResult Loss { get; } = Suite with
    {
        LaunchCount = 2,
        Missing = [new MissingLibrary("TCP under loss", "only root can make network namespaces")],
        Aborted = false,
        Command = "NetCoreNetworkBenchmark --benchmark=networks",
        Benchmarks = [LossOf("0", p999: 70_123.519, lost: 0), LossOf("1", p999: 234_567.891, lost: 31_690)],
    };

    /// <summary>Launches of one benchmark, with a case for each library.</summary>
    public static SuiteResult SuiteOf(params RunResult[] launches) => Suite with
    {
        Missing = [],
        Aborted = false,
        Benchmarks = [new BenchmarkResult("Benchmark 1", [.. launches.GroupBy(launch => launch.Library).Select(CaseOf)])],
    };

    private static CaseResult CaseOf(IGrouping<string, RunResult> launches) => Case(
        launches.Key, [.. launches.Select((launch, index) => new LaunchResult(index + 1, launch, launch.Valid ? null : "It is not valid."))]);

    private static Guid IdOf(short number) => new(0x019ab123, 0x4567, 0x7000, 0x80, 0, 0, 0, 0, 0, 0, (byte)number);

    private static SuiteResult TurnsOf(double[][] rates, string[] libraries)
    {
        CaseResult[] cases =
        [
            .. libraries.Select((library, index) => CaseSummarizer.Summarize(
                library, [.. rates[index].Select((rate, set) => LaunchOf(Valid.OfLibrary(library).WithRate(rate).WithoutHistogram(), set + 1, rates[^1][set]))],
                isInterleaved: true)),
            CaseSummarizer.Summarize("Broken", [new LaunchResult(1, null, "It hung past its deadline of 46 s and was ended.")], isInterleaved: true),
        ];
        BenchmarkResult ranked = CaseRanking.Rank(new BenchmarkResult("Benchmark 1", cases) { Baseline = "Sockets" });
        double? cost = Valid.Costs.Server!.CpuMicrosecondsPerMessage;
        return Suite with
        {
            Interleaving = new InterleavingMethod(3, null, 0.05, 1),
            Aborted = false,
            Benchmarks = [ranked.WithCases(WithEqualCost)],
        };

        static LaunchResult LaunchOf(RunResult run, int set, double baseline) => new(set, run, null) { Baseline = new BaselineFigures(baseline, null) };

        static RatioFigure EqualTo(string library, CaseResult found) => found.Library == library ? new(1, null, null) : new(1, 1, 1);

        // The cases are ranked by their rates, and cost the server the same.
        CaseResult WithEqualCost(CaseResult found) => found.ToBaseline is null ? found
            : found.WithLaunches(launch => launch with { Baseline = launch.Baseline! with { ServerCpuMicroseconds = cost } }) with
            {
                ToBaseline = found.ToBaseline with { ServerCpu = EqualTo(libraries[^1], found) },
                ToBest = found.ToBest! with { ServerCpu = EqualTo(libraries[0], found) },
            };
    }

    // The load has the figures of the baseline.
    private static BenchmarkResult RankedOf(
        string title, RunResult load, (string Library, double Rate, double Cost, double Half, (int First, int Last)? Places)[] cases,
        params UndecidedPair[] pairs)
    {
        const double CostOfBaseline = 8;
        double best = cases.Where(found => found.Places is not null).Max(found => found.Rate);
        double cheapest = cases.Where(found => found.Places is not null).Min(found => found.Cost);
        static double? Half(double half) => half == 0 ? null : half;
        static LatencySummary Times(LatencySummary latency, double factor) => new(
            latency.Mean * factor, latency.P50 * factor, latency.P90 * factor, latency.P95 * factor, latency.P99 * factor, latency.P999 * factor,
            latency.P9999 * factor, latency.Max * factor);
        return new BenchmarkResult(
            title,
            [
                .. cases.Select(found => CaseSummarizer.Summarize(
                    found.Library,
                    [
                        .. from set in Enumerable.Range(1, 3)
                           let run = load.OfLibrary(found.Library).WithRate(load.MessagesPerSecond * found.Rate * (0.98 + (set * 0.01)))
                               .WithLatency(Times(load.LatencyMicroseconds!, found.Cost / (load.Schedule is null ? 1 : 50))).WithoutHistogram()
                               .WithCost(CostOfBaseline * found.Cost * 0.4, CostOfBaseline * found.Cost * 0.6)
                           select new LaunchResult(set, run, null) { Baseline = new BaselineFigures(load.MessagesPerSecond, CostOfBaseline) },
                    ],
                    isInterleaved: true) with
                {
                    IsBaseline = found.Places is null,
                    ToBaseline = new BaselineRatio(RatioOf(found.Rate, Half(found.Half)), found.Places?.First)
                    {
                        LastRank = found.Places is { } places && places.Last != places.First ? places.Last : null,
                        ServerCpu = RatioOf(found.Cost, Half(found.Half / 2)),
                    },
                    ToBest = new BestRatio(
                        RatioOf(found.Rate / best, found.Rate == best ? null : Half(found.Half)),
                        RatioOf(found.Cost / cheapest, found.Cost == cheapest ? null : Half(found.Half / 2))),
                }),
            ])
        {
            Baseline = "Sockets",
            RankedBy = RankedFigure.ServerCpu,
            Decision = new Decision(cases.Max(found => found.Half), 0.06, 40, pairs, Confidence: 0.975),
        };
    }

    // The p99 of a slice is the given one, in milliseconds; it is twice as long in the second set, in which the machine was slower.
    private static BenchmarkResult WithLatencies(this BenchmarkResult benchmark, params (string Library, double P99)[] latencies)
    {
        const double Half = 0.07;
        Dictionary<string, double> of = latencies.ToDictionary(latency => latency.Library, latency => latency.P99);
        double lowest = benchmark.Cases.Where(found => !found.IsBaseline).Min(found => of[found.Library]);
        RatioFigure Figure(double ratio) => RatioOf(ratio, ratio == 1 ? null : Half);
        return benchmark.WithCases(found => found.WithLaunches(launch => launch with
        {
            Slices = new SliceSeries([1, 1], [1, 1])
            {
                P50Microseconds = [100, null],
                P99Microseconds = [1_000 * of[found.Library] * (launch.Number == 2 ? 2 : 1), null],
            },
        }) with
        {
            ToBest = found.ToBest! with { P50 = Figure(Math.Sqrt(of[found.Library] / lowest)), P99 = Figure(of[found.Library] / lowest) },
        });
    }

    /// <summary>A ratio with an interval that is as wide on both sides.</summary>
    public static RatioFigure RatioOf(double ratio, double? half) =>
        half is { } known ? new(ratio, ratio * Math.Exp(-known), ratio * Math.Exp(known)) : new(ratio, null, null);

    private static string? ReasonOf(RunResult? run) => run is null ? "It broke." : run.InvalidReasons is [var reason, ..] ? reason : null;

    private static RunResult Single(string library) =>
        SampleResults.Stream.WithPlan(plan => plan with { Library = library, Framing = Framing.Checked, Clients = 1 });

    private static BenchmarkResult FramedOf(string title, string part, BenchmarkRow row, params RunResult?[] runs) => new(
        title,
        [
            .. runs.Select(run => CaseSummarizer.Summarize(
                run?.Library ?? "Kestrel", [new LaunchResult(1, run?.As(title), ReasonOf(run))], isInterleaved: true)),
        ])
    {
        Part = part,
        Row = row,
    };

    private static CaseResult Case(string library, params LaunchResult[] launches) => CaseSummarizer.Summarize(library, launches);

    private static BenchmarkResult LossOf(string share, double p999, long lost)
    {
        RunResult run = OpenLoop.As(share).WithPlan(plan => plan with
        {
            Impairment = new ImpairmentPlan
            {
                Loss = double.Parse(share, CultureInfo.InvariantCulture) / 100,
                Delay = TimeSpan.FromMilliseconds(10),
            },
        });
        RunResult stream = run.WithPlan(plan => plan with
        {
            Transmission = Transmission.Reliable,
            Protocol = Protocol.Tcp,
            Variant = "TCP",
            ClientLibrary = "Epoll",
        }).WithClients(clients => clients with { LibraryVersion = "6.1" });
        return new BenchmarkResult(
            $"{share} % loss, 20 ms",
            [
                LossOf(run.WithPlan(plan => plan with { Variant = "unreliable" }).WithRate(run.MessagesPerSecond * (share == "0" ? 1 : 0.98)), 20_567.89, lost),
                LossOf(stream.OfLibrary("Epoll"), p999, lost: 0), LossOf(stream.OfLibrary("Sockets").WithFaults("It was late."), p999 * 1.1, lost: 0),
                new CaseResult("Toy (reliable)", [new LaunchResult(1, null, "It hung.")], null, ["Launch 1 failed: It hung."]),
            ])
        {
            Part = "Reliable and unreliable delivery under loss",
        };
    }

    // The histograms of the samples are not of round trips.
    private static CaseResult LossOf(RunResult result, double p999, long lost)
    {
        RunResult run = result.WithLost(lost);
        CaseResult found = CaseSummarizer.Summarize(
            run.Name, [.. Enumerable.Range(1, 2).Select(number => new LaunchResult(number, run, run.Valid ? null : string.Join(' ', run.InvalidReasons)))]);
        const double P50 = 20_345.678;
        double Between(double share) => P50 + ((p999 - P50) * share);
        var latency = new LatencySummary(Between(0.01), P50, Between(0.25), Between(0.5), Between(0.75), p999, Between(1.25), Between(1.5));
        return found with { Summary = found.Summary! with { Delivery = found.Summary.Delivery! with { Microseconds = latency } } };
    }
}
