using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Tests.Histograms;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Results with numbers that show every kind of rounding and grouping. None of them was measured.</summary>
internal static class SampleResults
{
    public static TimelineResult Timeline { get; } = new(
        new SideTimeline
        {
            Seconds = [0.1001, 0.2, 0.3002, 0.4, 0.5, 0.6],
            Messages = [2_650, 2_640, 12, 2_655, 2_660, 2_640],
            CpuSeconds = [0.0751, 0.0748, 0.0003, 0.0751, 0.075, 0.0749],
            PauseMilliseconds = [0, 0, 98.25, 0, 0, 0],
            PoolQueue = [0, 0, 1, 0, 0, 0],
            PoolThreads = [3, 3, 3, 3, 4, 4],
        },
        new SideTimeline
        {
            Seconds = [0.1, 0.2, 0.3, 0.4001, 0.5, 0.6],
            Messages = [2_649, 2_641, 13, 2_654, 2_660, 2_641],
            P99Microseconds = [41_123.839, 41_120, 98_765.432, 41_000, 41_100, 41_111],
            CpuSeconds = [0.0601, 0.0602, 0.0003, 0.0601, 0.06, 0.0599],
            PauseMilliseconds = [0, 0, 0, 0.12, 0, 0],
            PoolQueue = [0, 0, 0, 0, 0, 0],
            PoolThreads = [2, 2, 2, 2, 2, 2],
        });

    public static RunResult Valid { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Library = "ENet",
        LibraryVersion = "1.3.17",
        Protocol = "Udp",
        Transmission = "Unreliable",
        Test = "PingPong",
        Address = "127.0.0.1",
        Port = 3333,
        Clients = 1000,
        ParallelMessages = 1,
        MessageSize = 32,
        MessageLoad = "Ones",
        StartedAt = new DateTimeOffset(2026, 11, 21, 8, 5, 9, TimeSpan.Zero),
        WarmUpSeconds = 1.25,
        WarmUpSteady = true,
        DefinedDurationSeconds = 60,
        DurationSeconds = 60.00432,
        Messages = new MessageTotals(1_584_735, 1_585_734, 1_585_734, 1_584_735),
        Lost = 0,
        Duplicated = 0,
        Reordered = 0,
        Corrupted = 0,
        Errors = 0,
        ErrorsByName = new SortedDictionary<string, long>(),
        Totals = new RunTotals(1_600_000, 1_600_000, 0, 0, 0, 0, 0),
        Iterations = [new IterationResult(30.00216, 792_367), new IterationResult(30.00216, 792_368)],
        MessagesPerSecond = 26_410.348455,
        MegabytesPerSecond = 0.80598,
        LatencyMicroseconds = new LatencySummary(37_864.1234, 36_000.767, 41_123.839, 45_678.591, 55_001.087, 70_123.519, 80_000.511, 1_234_567.891)
        {
            Min = 12_345.6789,
        },

        // Encoded in advance, as compressed bytes differ between platforms.
        Histogram = ReferenceVectors.Few,
        Costs = new RunCosts(Cost(1_585_734, 20.5, 39.25), Cost(1_584_735, 31.125, 28.5), null),
        Server = ServerKind.Own,
        Fitness = new Fitness
        {
            LoadAverage = 0.25,
            CpuGovernor = "powersave",
            MachineCores = 4,
            StealShare = 0.0125,
            OtherShare = 0.05,
            Warnings = ["The CPU governor is 'powersave', so the frequency changes with the load; 'performance' holds it."],
        },
        Valid = true,
        InvalidReasons = [],
        Aborted = false,
        Environment = new EnvironmentInfo
        {
            Os = "Debian GNU/Linux 12 (bookworm)",
            Kernel = "Unix 6.1.0.0",
            Cpu = "Intel(R) Core(TM) i5-3570K CPU @ 3.40GHz",
            Cores = 4,
            Mainboard = "ASRock Z77 Pro4",
            MemoryBytes = 16_777_216_000,
            Architecture = "X64",
            Framework = ".NET 10.0.0",
            GarbageCollector = "Workstation, concurrent",
            Jit = "tiered, with profile",
            IsDebugBuild = false,
            SocketReceiveBufferLimit = 212_992,
            DescriptorLimit = 1_048_576,
            RuntimeSettings = new SortedDictionary<string, string> { ["DOTNET_TieredPGO"] = "0" },
        },
        Command = "NetCoreNetworkBenchmark --test PingPong --library ENet",
    };

    public static RunResult Invalid { get; } = Valid with
    {
        Library = "Sockets",
        LibraryVersion = "10.0.0",
        Lost = 1_234,
        Duplicated = 2,
        Reordered = 3,
        Corrupted = 4,
        Errors = 1_005,
        ErrorsByName = new SortedDictionary<string, long> { ["ConnectionReset"] = 1_000, ["client lost its server"] = 5 },
        LatencyMicroseconds = null,
        Valid = false,
        InvalidReasons = ["1,234 messages were lost in a closed loop, so fewer were in flight than asked for."],
    };

    public static RunResult OpenLoop { get; } = Valid with
    {
        Timeline = Timeline,
        Runtime = new RuntimeResult(new SortedDictionary<string, string> { ["TieredPGO"] = "0", ["gcServer"] = "1" }, "Server, concurrent", "Workstation"),
        ParallelMessages = 1,
        Schedule = new ScheduleResult(26_500, 26_410.3, 2, 0.00125),
        UncorrectedLatencyMicroseconds = new LatencySummary(1_000.5, 900.25, 1_100, 1_150, 1_200, 1_300, 1_400, 1_500.75),
        UncorrectedHistogram = ReferenceVectors.ManyBits,
        Server = ServerKind.PlainEcho,
        Messages = new MessageTotals(1_584_735, null, null, 1_584_735),
        Costs = new RunCosts(null, Cost(1_584_735, 31.125, 28.5), null),
        Lost = 3_210,
        Impairment = new ImpairmentResult(
            new SortedDictionary<string, string> { ["--loss"] = "1%", ["--seed"] = "1" },
            new RelayCounts(
                new RelayDirectionCounts(1_600_000, 1_598_400, 1_600, 0, 0, 0, 0, 0),
                new RelayDirectionCounts(1_598_400, 1_596_790, 1_610, 0, 0, 0, 0, 0),
                0,
                1_000)),
    };

    public static RunResult RoundTrip { get; } = Valid with { Test = "RoundTrip", Layout = FigureLayout.NetCoreServer };

    public static RunResult Multicast { get; } = Valid with
    {
        Test = "Multicast",
        LatencyKind = LatencyKind.OneWay,
        Address = "239.255.0.1",
        MulticastInterface = "127.0.0.1",
        Schedule = new ScheduleResult(26_500, 26_410.3, 2, 0.00125),
        Messages = new MessageTotals(1_000, 1_000, 15_850, 1_584_735),
        Lost = 12,
        ClientShares = new ClientShares(3, 1_584.5, 1_700, 12, [new SlowClient(7, 3), new SlowClient(1_000, 12)]),
    };

    /// <summary>A result with every choice that can be made for its sides.</summary>
    public static RunResult Chosen { get; } = Valid with
    {
        Settings = new Dictionary<string, string> { ["batch"] = "gso", ["mode"] = "fast" },
        ServerThreads = 2,
        ClientThreads = 1_000,
        Pinning = new PinningResult(new SidePinning([0], [0]), new SidePinning([1, 2, 3, 5], [1, 3])),
        Remarks = ["The kernel has no UDP GSO, so batch=gso fell back to mmsg."],
    };

    /// <summary>A result over TLS, with another library's clients.</summary>
    public static RunResult Stream { get; } = Valid with
    {
        Library = "Kestrel",
        LibraryVersion = "10.0.0",
        Protocol = "Ssl",
        Transmission = "Reliable",
        Framing = "Length",
        NoDelay = true,
        ClientLibrary = "Epoll",
        ClientLibraryVersion = "6.1.0",
        Tls = new TlsResult(
            "P256",
            true,
            [new TlsHandshakes("1.3", "TLS_AES_256_GCM_SHA384", "x25519", false, 1_600), new TlsHandshakes("1.3", "TLS_AES_256_GCM_SHA384", "x25519", true, 3)],
            [new TlsHandshakes("1.3", "TLS_AES_256_GCM_SHA384", null, null, 1_603)],
            "3.0.19"),
        Command = "NetCoreNetworkBenchmark --test PingPong --library Kestrel --protocol Ssl",
    };

    /// <summary>A result over TCP with a server that reported nothing.</summary>
    public static RunResult PlainStream { get; } = OpenLoop with
    {
        Protocol = "Tcp",
        Transmission = "Reliable",
        Framing = "Fixed",
        NoDelay = true,
        Library = "Sockets",
        ClientLibrary = "Sockets",
        ClientLibraryVersion = "10.0.0",
        Impairment = null,
    };

    /// <summary>A result over TCP through a relay.</summary>
    public static RunResult RelayedStream { get; } = PlainStream with
    {
        Lost = 0,
        Impairment = new ImpairmentResult(
            new SortedDictionary<string, string> { ["--cut"] = "200ms/2000ms", ["--delay"] = "5ms", ["--seed"] = "1", ["--stall"] = "100ms/1000ms" },
            new RelayCounts(
                new RelayDirectionCounts(1_500_123, 1_500_100, 0, 0, 0, 0, 23, null)
                {
                    Stream = new RelayStreamCounts(50_711_520, 50_710_784, 50_711_520, 84_800),
                },
                new RelayDirectionCounts(1_400_456, 1_400_456, 0, 0, 0, 0, 0, null)
                {
                    Stream = new RelayStreamCounts(50_710_784, 50_710_784, 50_700_000, 96_000),
                },
                10,
                6_000)
            {
                Cuts = 5,
                ResetConnections = 4_990,
            }),
    };

    public static SuiteResult Suite { get; } = new()
    {
        HarnessVersion = "1.2.3",
        StartedAt = Valid.StartedAt,
        Environment = Valid.Environment,
        Fitness = Valid.Fitness,
        LaunchCount = 3,
        Benchmarks =
        [
            new BenchmarkResult("Benchmark 1",
            [
                Case(
                    "ENet",
                    new LaunchResult(1, Valid, null) { Control = 201_234.5 },
                    new LaunchResult(2, Valid with { Id = IdOf(2), MessagesPerSecond = 27_000 }, null) { Control = 198_765.25 },
                    new LaunchResult(3, Valid with { Id = IdOf(3), MessagesPerSecond = 18_000, Remarks = Chosen.Remarks }, null)),
                Case("Sockets", new LaunchResult(1, Invalid, Invalid.InvalidReasons[0])),
            ]),
            new BenchmarkResult("Benchmark 2", [Case("ENet", new LaunchResult(1, null, "It hung past its deadline of 46 s and was ended."))]),
        ],
        Missing = [new MissingLibrary("LiteNetLib", "package LiteNetLib 2.1.3 could not be restored when this was built (NU1101)")],
        Aborted = true,
        Command = "NetCoreNetworkBenchmark --benchmark",
    };

    /// <summary>A suite whose cases took turns: a floor, a faster and a slower library in three sets, and one that failed.</summary>
    public static SuiteResult Turns { get; } = TurnsOf([[20, 41, 19], [200, 404, 198], [100, 202, 99]], ["Slow", "Fast", "Sockets"]);

    /// <summary>A suite of an earlier version, which has the ratios to the floor alone.</summary>
    public static SuiteResult ToFloor { get; } = Turns with
    {
        Benchmarks =
        [
            .. Turns.Benchmarks.Select(benchmark => benchmark with { Cases = [.. benchmark.Cases.Select(found => found with { ToBest = null })] }),
        ],
    };

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
                new UndecidedPair("ENet", "ENet-CSharp", new RatioFigure(0.98, 0.9416, 1.02), 165)
                {
                    DecidedBy = new RatioInterval(0.9416, 1.02, 0.9983),
                }),
            RankedOf(
                "Benchmark 2",
                Valid with { Clients = 100, ParallelMessages = 1_000, MessagesPerSecond = 812_345.6 },
                [
                    ("LiteNetLib", 1.9, 0.5, 0.12, (1, 1)), ("ENet", 1.2, 0.71, 0.1, (2, 3)), ("ENet-CSharp", 1.18, 0.72, 0.1, (2, 3)),
                    ("NetCoreServer", 0.3, 3.1, 0.123, (4, 4)), ("Sockets", 1, 1, 0, null), ("Epoll", 1.4, 0.6, 0.08, null),
                ],
                new UndecidedPair("ENet", "ENet-CSharp", new RatioFigure(0.9833, 0.88, 1.1), null)),
            RankedOf(
                "Benchmark 3",
                Valid with { Schedule = new ScheduleResult(20_000, 20_000, 0, 0), MessagesPerSecond = 20_000 },
                [
                    ("ENet", 1, 1.2, 0.02, (1, 1)), ("ENet-CSharp", 1, 1.31, 0.02, (2, 2)), ("LiteNetLib", 1, 1.9, 0.02, (3, 3)),
                    ("NetCoreServer", 1, 2.2, 0.02, (4, 4)), ("Sockets", 1, 1, 0, null), ("Epoll", 1, 0.9, 0.02, null),
                ]),
        ],
    };

    /// <summary>A burst load that ended by itself.</summary>
    public static RunResult Burst { get; } = Stream with
    {
        Test = "Burst",
        Framing = "Checked",
        Clients = 5,
        ParallelMessages = 10_000,
        MessageSize = 2,
        TestOptions = new SortedDictionary<string, string> { ["--bursts"] = "1" },
        Figures =
        [
            new WorkloadFigure("Clients that completed their bursts", 5, string.Empty, FigureMerge.Sum),
            new WorkloadFigure(WorkloadFigure.WholeTime, 0.2475, "s", FigureMerge.Largest),
        ],
        Distributions = [new TimeDistribution("Burst", 15, 20.25, Valid.LatencyMicroseconds, ReferenceVectors.Few)],
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
                Single("Epoll") with { ParallelMessages = 100, Distributions = Burst.Distributions },
                Invalid with { Library = "Sockets", ParallelMessages = 100 }),
            FramedOf(
                "Queries TCP, 5 x 10,000", "Group 3", new BenchmarkRow(RowTable.TotalTimes, "5 x 10,000") { Published = 202_020 },
                Burst, Burst with { Library = "Epoll" }),
            FramedOf("Queries TCP, 5 x 100,000", "Group 3", new BenchmarkRow(RowTable.TotalTimes, "5 x 100,000"), null, Burst with { Library = "Epoll" }),
        ],
    };

    /// <summary>The benchmark under loss: a case for each delivery, one that is not valid, and one that failed.</summary>
    public static SuiteResult Loss { get; } = Suite with
    {
        LaunchCount = 2,
        Missing = [new MissingLibrary("TCP under loss", "only root can make network namespaces")],
        Aborted = false,
        Command = "NetCoreNetworkBenchmark --benchmark=loss",
        Benchmarks = [LossOf("0", p999: 70_123.519, lost: 0), LossOf("1", p999: 234_567.891, lost: 31_690)],
    };

    public static ServerResult Server { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Library = "ENet",
        LibraryVersion = "1.3.17",
        Protocol = "Udp",
        Transmission = "Unreliable",
        Test = "PingPong",
        EndPoint = "127.0.0.1:3333",
        MessageSize = 32,
        Settings = Chosen.Settings,
        ServerThreads = 1_000,
        Pinning = new SidePinning([0], [0]),
        Remarks = ["The kernel has no UDP GSO, so batch=gso fell back to mmsg."],
        StartedAt = Valid.StartedAt,
        DurationSeconds = 75.25,
        Received = 1_585_734,
        Sent = 1_585_734,
        ErrorsByName = new SortedDictionary<string, long> { ["server got part of a message"] = 1 },
        Disconnects = new SortedDictionary<string, long> { ["server ConnectionReset"] = 2, ["server lost a peer"] = 10 },
        Cost = Cost(1_585_734, 20.5, 39.25),
        Environment = Valid.Environment,
        Fitness = Valid.Fitness,
        Command = "NetCoreNetworkBenchmark --library ENet --role Server",
    };

    public static ServerResult StreamServer { get; } = Server with
    {
        Protocol = "Ssl",
        Transmission = "Reliable",
        Framing = "Fixed",
        Tls = new TlsResult("Rsa2048", false, [], [new TlsHandshakes("1.2", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "secp256r1", false, 2)], null),
    };

    public static SweepResult Sweep { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Library = "ENet",
        Limits = ["p99=5ms"],
        StartedAt = Valid.StartedAt,
        Points =
        [
            new SweepPoint(1_000, true, null, OpenLoop),
            new SweepPoint(2_000, false, "p99 was 5.25 ms", OpenLoop),
            new SweepPoint(4_000, false, "It hung.", null),
        ],
        HighestRate = 1_000,
        Conclusion = "At 2,000 msg/s: p99 was 5.25 ms.",
        Aborted = false,
        Environment = Valid.Environment,
        Command = "NetCoreNetworkBenchmark --library ENet --sweep --limit p99=5ms",
    };

    public static CapacityResult MaxClients { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Library = "ENet",
        LibraryVersion = "1.3.17",
        Protocol = "Udp",
        Transmission = "Unreliable",
        MessageSize = 32,
        DeadlineMilliseconds = 1_500,
        StartedAt = Valid.StartedAt,
        Bound = 4_095,
        BoundBy = ClientBoundKind.Protocol,
        Steps =
        [
            new CapacityStep(1_000, true, null, new CapacityFigures
            {
                Clients = 1_000,
                ConnectSeconds = 0.12345,
                Answered = 1_000,
                LatencyMicroseconds = Valid.LatencyMicroseconds,
                ServerResidentBytesBefore = 50_000_000,
                ServerResidentBytes = 51_234_567,
                ServerManagedBytesBefore = 1_000_000,
                ServerManagedBytes = 999_000,
                ErrorsByName = new SortedDictionary<string, long>(),
            }),
            new CapacityStep(1_500, false, "3 of 1,500 clients had no answer within 1.5 s", new CapacityFigures
            {
                Clients = 1_500,
                ConnectSeconds = 1.5,
                Answered = 1_497,
                LatencyMicroseconds = null,
                ServerResidentBytesBefore = 50_000_000,
                ServerResidentBytes = 52_000_000,
                ServerManagedBytesBefore = 1_000_000,
                ServerManagedBytes = 1_150_000,
                ErrorsByName = new SortedDictionary<string, long> { ["client lost its server"] = 3 },
            }),
            new CapacityStep(2_000, false, "Only 1999 of 2000 clients connected to 127.0.0.1:3333 within 15 s.", null),
        ],
        HighestClients = 1_000,
        Conclusion = "At 1,500: 3 of 1,500 clients had no answer within 1.5 s.",
        Aborted = true,
        Fitness = Valid.Fitness,
        Environment = Valid.Environment,
        Command = "NetCoreNetworkBenchmark --test MaxClients --library ENet",
    };

    public static ComparisonResult Comparison { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Old = "old",
        New = "new",
        Threshold = 0.1,
        Control = new ComparedControl(10, 9, 1.0625, 1.03125, 1.09375),
        Cases =
        [
            new ComparedCase("Benchmark 1", "ENet", 5, 5, 26_410.3, 20_123.4, 0.762, 0.731, 0.794, Verdict.Slower)
            {
                OldLatency = new ComparedLatency(Valid.LatencyMicroseconds!, 1_000, Valid.Histogram),
                NewLatency = new ComparedLatency(Valid.LatencyMicroseconds! with { P99 = 66_001, Max = 99_001 }, 1_000, null),
            },
            new ComparedCase("Benchmark 1", "Sockets", 2, 2, 100_000, 99_000, 0.99, null, null, Verdict.Inconclusive),
        ],
        NotCompared = ["Benchmark 2, ENet is in the old results only."],
    };

    /// <summary>Launches of one benchmark, with a case for each library.</summary>
    public static SuiteResult SuiteOf(params RunResult[] launches) => Suite with
    {
        Missing = [],
        Aborted = false,
        Benchmarks =
        [
            new BenchmarkResult("Benchmark 1",
            [
                .. launches.GroupBy(launch => launch.Library).Select(group =>
                    Case(group.Key, [.. group.Select((launch, index) => new LaunchResult(index + 1, launch, launch.Valid ? null : "It is not valid."))])),
            ]),
        ],
    };

    private static Guid IdOf(short number) => new(0x019ab123, 0x4567, 0x7000, 0x80, 0, 0, 0, 0, 0, 0, (byte)number);

    private static SuiteResult TurnsOf(double[][] rates, string[] libraries)
    {
        CaseResult[] cases =
        [
            .. libraries.Select((library, index) => CaseSummarizer.Summarize(
                library,
                [
                    .. rates[index].Select((rate, set) => new LaunchResult(
                        set + 1, Valid with { Library = library, MessagesPerSecond = rate, Histogram = null }, null)
                    {
                        Floor = new BaselineFigures(rates[^1][set], Valid.Costs.Server!.CpuMicrosecondsPerMessage),
                    }),
                ],
                tookTurns: true)),
            CaseSummarizer.Summarize("Broken", [new LaunchResult(1, null, "It hung past its deadline of 46 s and was ended.")], tookTurns: true),
        ];
        return Suite with
        {
            Interleaving = new InterleavingMethod(3, null, 0.05, 1),
            Aborted = false,
            Benchmarks = BaselineRatios.Rank([new BenchmarkResult("Benchmark 1", cases) { Floor = "Sockets" }]),
        };
    }

    // The load has the figures of the floor.
    private static BenchmarkResult RankedOf(
        string title,
        RunResult load,
        (string Library, double Rate, double Cost, double Half, (int First, int Last)? Places)[] cases,
        params UndecidedPair[] pairs)
    {
        const double CostOfFloor = 8;
        double best = cases.Where(found => found.Places is not null).Max(found => found.Rate);
        double cheapest = cases.Where(found => found.Places is not null).Min(found => found.Cost);
        static RatioFigure Figure(double ratio, double half) =>
            half == 0 ? new RatioFigure(ratio, null, null) : new RatioFigure(ratio, ratio * Math.Exp(-half), ratio * Math.Exp(half));
        static LatencySummary Times(LatencySummary latency, double factor) => new(
            latency.Mean * factor, latency.P50 * factor, latency.P90 * factor, latency.P95 * factor, latency.P99 * factor, latency.P999 * factor,
            latency.P9999 * factor, latency.Max * factor);
        return new BenchmarkResult(
            title,
            [
                .. cases.Select(found => CaseSummarizer.Summarize(
                    found.Library,
                    [
                        .. Enumerable.Range(1, 3).Select(set => new LaunchResult(
                            set,
                            load with
                            {
                                Library = found.Library,
                                MessagesPerSecond = load.MessagesPerSecond * found.Rate * (0.98 + (set * 0.01)),
                                LatencyMicroseconds = Times(load.LatencyMicroseconds!, found.Cost / (load.Schedule is null ? 1 : 50)),
                                Costs = load.Costs with { Server = Cost(1_000_000, CostOfFloor * found.Cost * 0.4, CostOfFloor * found.Cost * 0.6) },
                                Histogram = null,
                            },
                            null)
                        {
                            Floor = new BaselineFigures(load.MessagesPerSecond, CostOfFloor),
                        }),
                    ],
                    tookTurns: true) with
                {
                    IsBaseline = found.Places is null,
                    ToFloor = new BaselineRatio(Figure(found.Rate, found.Half), found.Places?.First)
                    {
                        LastRank = found.Places is { } places && places.Last != places.First ? places.Last : null,
                        ServerCpu = Figure(found.Cost, found.Half / 2),
                    },
                    ToBest = new BestRatio(
                        Figure(found.Rate / best, found.Rate == best ? 0 : found.Half),
                        Figure(found.Cost / cheapest, found.Cost == cheapest ? 0 : found.Half / 2)),
                }),
            ])
        {
            Floor = "Sockets",
            RankedBy = load.Schedule is null ? RankedFigure.MessagesPerSecond : RankedFigure.ServerCpu,
            Decision = new Decision(cases.Max(found => found.Half), 0.06, 40, pairs),
        };
    }

    private static string? ReasonOf(RunResult? run) => run is null ? "It broke." : run.InvalidReasons is [var reason, ..] ? reason : null;

    private static RunResult Single(string library) => Stream with { Library = library, Framing = "Checked", Clients = 1 };

    private static BenchmarkResult FramedOf(string title, string part, BenchmarkRow row, params RunResult?[] runs) => new(
        title,
        [
            .. runs.Select(run => CaseSummarizer.Summarize(
                run?.Library ?? "Kestrel", [new LaunchResult(1, run, ReasonOf(run))], tookTurns: true)),
        ])
    {
        Part = part,
        Row = row,
    };

    private static CaseResult Case(string library, params LaunchResult[] launches) => CaseSummarizer.Summarize(library, launches);

    private static ProcessCost Cost(long messages, double user, double system) => new()
    {
        Messages = messages,
        Seconds = 60.00432,
        UserCpuSeconds = user,
        SystemCpuSeconds = system,
        AllocatedBytes = 24_778,
        Collections = [3, 2, 1],
        PauseSeconds = 0.0123,
        PeakThreads = 14,
        PeakResidentBytes = 64_000_000,
        VoluntaryContextSwitches = 123_456,
        InvoluntaryContextSwitches = 789,
    };

    private static BenchmarkResult LossOf(string share, double p999, long lost)
    {
        (string, string)[] asked = share == "0" ? [("--delay", "10ms")] : [("--loss", $"{share}%"), ("--delay", "10ms")];
        RunResult run = OpenLoop with
        {
            Impairment = OpenLoop.Impairment! with { Asked = new SortedDictionary<string, string>(asked.ToDictionary()) },
        };
        RunResult stream = run with { Transmission = "Reliable", Protocol = "Tcp", Variant = "TCP", ClientLibrary = "Epoll", ClientLibraryVersion = "6.1" };
        return new BenchmarkResult(
            $"{share} % loss, 20 ms",
            [
                LossOf(run with { Variant = "unreliable", MessagesPerSecond = run.MessagesPerSecond * (share == "0" ? 1 : 0.98) }, 20_567.89, lost),
                LossOf(stream with { Library = "Epoll" }, p999, lost: 0),
                LossOf(stream with { Library = "Sockets", Valid = false, InvalidReasons = ["It was late."] }, p999 * 1.1, lost: 0),
                new CaseResult("Toy (reliable)", [new LaunchResult(1, null, "It hung.")], null, ["Launch 1 failed: It hung."]),
            ])
        {
            Part = "Reliable and unreliable delivery under loss",
        };
    }

    // The histograms of the samples are not of round trips.
    private static CaseResult LossOf(RunResult result, double p999, long lost)
    {
        RunResult run = result with { Totals = result.Totals with { Lost = lost } };
        CaseResult found = CaseSummarizer.Summarize(
            run.Name, [.. Enumerable.Range(1, 2).Select(number => new LaunchResult(number, run, run.Valid ? null : string.Join(' ', run.InvalidReasons)))]);
        const double P50 = 20_345.678;
        double Between(double share) => P50 + ((p999 - P50) * share);
        var latency = new LatencySummary(Between(0.01), P50, Between(0.25), Between(0.5), Between(0.75), p999, Between(1.25), Between(1.5));
        return found with { Summary = found.Summary! with { Delivery = found.Summary.Delivery! with { Microseconds = latency } } };
    }
}
