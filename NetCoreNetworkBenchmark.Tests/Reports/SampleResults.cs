using NetCoreNetworkBenchmark.Tests.Histograms;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Results with numbers that show every kind of rounding and grouping. None of them was measured.</summary>
internal static class SampleResults
{
    private static readonly SideTimeline s_serverTimeline = new(
        Seconds: [0.1001, 0.2, 0.3002, 0.4, 0.5, 0.6], Messages: [2_650, 2_640, 12, 2_655, 2_660, 2_640], P99Microseconds: null,
        CpuSeconds: [0.0751, 0.0748, 0.0003, 0.0751, 0.075, 0.0749], PauseMilliseconds: [0, 0, 98.25, 0, 0, 0], PoolQueue: [0, 0, 1, 0, 0, 0],
        PoolThreads: [3, 3, 3, 3, 4, 4]);

    private static readonly SideTimeline s_clientTimeline = new(
        Seconds: [0.1, 0.2, 0.3, 0.4001, 0.5, 0.6], Messages: [2_649, 2_641, 13, 2_654, 2_660, 2_641],
        P99Microseconds: [41_123.839, 41_120, 98_765.432, 41_000, 41_100, 41_111], CpuSeconds: [0.0601, 0.0602, 0.0003, 0.0601, 0.06, 0.0599],
        PauseMilliseconds: [0, 0, 0, 0.12, 0, 0], PoolQueue: [0, 0, 0, 0, 0, 0], PoolThreads: [2, 2, 2, 2, 2, 2]);

    public static RunResult Valid { get; } = new()
    {
        Id = new Guid("019ab123-4567-7000-8000-000000000001"),
        HarnessVersion = "1.2.3",
        Plan = new RunPlan
        {
            Test = "PingPong",
            Library = "ENet",
            ClientThreads = 1,
            Duration = TimeSpan.FromSeconds(60),
            Iterations = 2,
        },
        LibraryVersion = "1.3.17",
        Address = "127.0.0.1",
        Port = 3333,
        Clients = new ClientReport
        {
            LibraryVersion = "1.3.17",
            Clients = 1000,
            ConnectSeconds = 0.25,
            StartedAt = new DateTimeOffset(2026, 11, 21, 8, 5, 9, TimeSpan.Zero),
            WarmUpSeconds = 1.25,
            WarmUpSteady = true,
            DurationSeconds = 60.00432,
            Measured = new MessageCounters { ClientSent = 1_584_735, ClientReceived = 1_584_735 },
            AfterStart = new MessageCounters { ClientSent = 1_584_735, ClientReceived = 1_584_735 },
            Whole = new MessageCounters { ClientSent = 1_600_000, ClientReceived = 1_600_000 },
            Errors = new SortedDictionary<string, long>(),
            Iterations = [new IterationResult(30.00216, 792_367), new IterationResult(30.00216, 792_368)],
            Aborted = false,
            Cost = Cost(1_584_735, 31.125, 28.5),

            // Encoded in advance, as compressed bytes differ between platforms.
            Latency = new LatencyReport(
                new LatencySummary(37_864.1234, 36_000.767, 41_123.839, 45_678.591, 55_001.087, 70_123.519, 80_000.511, 1_234_567.891)
                {
                    Min = 12_345.6789,
                },
                ReferenceVectors.Few)
            {
                Count = 1_584_735,
            },
        },
        Server = new ServerReport
        {
            LibraryVersion = "1.3.17",
            Received = 1_585_734,
            Sent = 1_585_734,
            Errors = new SortedDictionary<string, long>(),
            Cost = Cost(1_585_734, 20.5, 39.25),
        },
        Fitness = new Fitness
        {
            LoadAverage = 0.25,
            CpuGovernor = "powersave",
            MachineCores = 4,
            StealShare = 0.0125,
            OtherShare = 0.05,
            Warnings = ["The CPU governor is 'powersave', so the frequency changes with the load; 'performance' holds it."],
        },
        Verdict = new RunVerdict([], [], []),
        Environment = new EnvironmentInfo(
            Os: "Debian GNU/Linux 12 (bookworm)", Kernel: "Unix 6.1.0.0", Cpu: "Intel(R) Core(TM) i5-3570K CPU @ 3.40GHz", Cores: 4, CpuQuota: null,
            Mainboard: "ASRock Z77 Pro4", MemoryBytes: 16_777_216_000, Architecture: "X64", Framework: ".NET 10.0.0",
            GarbageCollector: "Workstation, concurrent", Jit: "tiered, with profile", OpenSslVersion: null, IsDebugBuild: false,
            SocketReceiveBufferLimit: 212_992, DescriptorLimit: 1_048_576,
            RuntimeSettings: new SortedDictionary<string, string> { ["DOTNET_TieredPGO"] = "0" }),
        Command = "NetCoreNetworkBenchmark --test PingPong --library ENet",
    };

    public static RunResult Invalid { get; } = Valid.OfLibrary("Sockets").WithErrors(("ConnectionReset", 1_000), ("client lost its server", 5)).WithLost(1_234)
        .WithLatency(null).WithFaults("1,234 messages were lost in a closed loop, so fewer were in flight than asked for.")
        .WithClients(clients => clients with
        {
            LibraryVersion = "10.0.0",
            AfterStart = clients.AfterStart with { Duplicated = 2, Reordered = 3, Corrupted = 4 },
        }) with
    {
        LibraryVersion = "10.0.0",
    };

    public static RunResult OpenLoop { get; } = Valid.WithLost(3_210).WithPlan(plan => plan with
    {
        Rate = 26_500,
        Runtime = new RuntimePlan().With("TieredPGO", "0").With("gcServer", "1"),
        Impairment = new ImpairmentPlan { Loss = 0.01 },
    }).WithClients(clients => clients with
    {
        Measured = clients.Measured with { SentLate = 1_981 },
        Timeline = s_clientTimeline,
        GarbageCollector = "Workstation",
        Uncorrected = new LatencyReport(new LatencySummary(1_000.5, 900.25, 1_100, 1_150, 1_200, 1_300, 1_400, 1_500.75), ReferenceVectors.ManyBits)
        {
            Count = 1_584_735,
        },
    }) with
    {
        ServerKind = ServerKind.Separate,
        Server = null,
        Relay = new RelayReport(
            new RelayCounts(
                new RelayDirectionCounts(1_600_000, 1_598_400, 1_600, 0, 0, 0, 0, 0), new RelayDirectionCounts(1_598_400, 1_596_790, 1_610, 0, 0, 0, 0, 0), 0,
                1_000),
            []),
    };

    /// <summary>A result with a TCP connection of another application in the same queue.</summary>
    public static RunResult BesideNeighbour { get; } = OpenLoop with
    {
        Relay = OpenLoop.Relay! with
        {
            Neighbour = new NeighbourReport("cubic", 4_200_000, new LatencySummary(205_000, 210_000, 220_000, 225_000, 230_000, 231_000, 231_000, 231_000)),
        },
    };

    /// <summary>A result with the course of the measurement at both sides.</summary>
    public static RunResult Followed { get; } = Valid.WithClients(clients => clients with { Timeline = s_clientTimeline })
        .WithServer(server => server with { Timeline = s_serverTimeline });

    public static RunResult RoundTrip { get; } = Valid.WithPlan(plan => plan with { Test = "RoundTrip" }) with { FirstFigures = new RoundTrip().FirstFigures };

    public static RunResult Multicast { get; } = Valid.WithLost(12).WithPlan(plan => plan with
    {
        Test = "Multicast",
        Address = "239.255.0.1",
        Rate = 26.5,
    }).WithServer(server => server with { Sent = 1_585, Received = 1_000, SentLate = 2 }).WithClients(clients => clients with
    {
        LatencyKind = LatencyKind.OneWay,
        Measured = clients.Measured with { ClientSent = 1_000 },
        Fairness = new ClientFairness(3, 1_584.5, 1_700, 12, [new SlowClient(7, 3), new SlowClient(1_000, 12)]),
    }) with
    {
        Address = "239.255.0.1",
    };

    /// <summary>A result with every choice that can be made for its sides.</summary>
    public static RunResult Chosen { get; } = Valid.WithPlan(plan => plan with
    {
        Settings = new Dictionary<string, string> { ["batch"] = "gso", ["mode"] = "fast" },
        ServerThreads = 2,
        ClientThreads = 1_000,
        Pinning = new PinningPlan { ServerCores = [0], ClientCores = [1, 2, 3, 5] },
    }).WithServer(server => server with
    {
        Threads = 2,
        Pinning = new SidePinning([0], [0]),
        Remarks = ["The kernel has no UDP GSO, so batch=gso fell back to mmsg."],
    }).WithClients(clients => clients with
    {
        Threads = 1_000,
        Pinning = new SidePinning([1, 2, 3, 5], [1, 3]),
    });

    /// <summary>A result over TLS, with another library's clients.</summary>
    public static RunResult Stream { get; } = Valid.WithPlan(plan => plan with
    {
        Library = "Kestrel",
        Protocol = Protocol.Ssl,
        Transmission = Transmission.Reliable,
        Framing = Framing.Length,
        ClientLibrary = "Epoll",
        Tls = new TlsPlan { Mutual = true },
    }).WithClients(clients => clients with
    {
        LibraryVersion = "6.1.0",
        Handshakes =
        [
            new NegotiatedTls("1.3", "TLS_AES_256_GCM_SHA384", "x25519", false) { Count = 1_600 },
            new NegotiatedTls("1.3", "TLS_AES_256_GCM_SHA384", "x25519", true) { Count = 3 },
        ],
    }).WithServer(server => server with
    {
        LibraryVersion = "10.0.0",
        Key = "P256",
        Handshakes = [new NegotiatedTls("1.3", "TLS_AES_256_GCM_SHA384", null, null) { Count = 1_603 }],
    }) with
    {
        LibraryVersion = "10.0.0",
        Environment = Valid.Environment with { OpenSslVersion = "3.0.19" },
        Command = "NetCoreNetworkBenchmark --test PingPong --library Kestrel --protocol Ssl",
    };

    /// <summary>A result over TCP with a server that reported nothing.</summary>
    public static RunResult PlainStream { get; } = OpenLoop.WithPlan(plan => plan with
    {
        Library = "Sockets",
        Protocol = Protocol.Tcp,
        Transmission = Transmission.Reliable,
        Impairment = new ImpairmentPlan(),
    }).WithClients(clients => clients with { LibraryVersion = "10.0.0" }) with
    {
        Relay = null,
    };

    /// <summary>A result whose rate rises until the answers fall behind.</summary>
    public static RunResult Steps { get; } = PlainStream.WithLost(0).WithPlan(plan => plan with
    {
        Rate = 1_000,
        LastRate = 3_000,
        Iterations = 4,
        Duration = TimeSpan.FromSeconds(4),
        Arrivals = Arrivals.Poisson,
    }).WithClients(clients => clients with
    {
        Measured = new MessageCounters { ClientSent = 8_017, ClientReceived = 8_017, SentLate = 212 },
        DurationSeconds = 4.0004,
        Iterations =
        [
            Step(1_000, 998, 998, 0, 150.5), Step(1_666.667, 1_671, 1_670, 3, 175.25), Step(2_333.333, 2_335, 2_190, 9, 35_000),
            Step(3_000, 3_013, 2_210, 200, 250_000),
        ],
    });

    /// <summary>A result over TCP whose connections a relay cuts.</summary>
    public static RunResult CutConnections { get; } = PlainStream.WithLost(0).WithPlan(plan => plan with
    {
        Impairment = new ImpairmentPlan
        {
            Cut = new Interruption(TimeSpan.FromSeconds(0.2), TimeSpan.FromSeconds(2)),
        },
        Limits =
        [
            new RunLimit(LimitKind.Latency, 50, 99, "p99=50us"), new RunLimit(LimitKind.Loss, 0.001, null, "loss=0.1%"),
            new RunLimit(LimitKind.ServerCpu, 10, null, "server-cpu=10us"),
        ],
    }) with
    {
        Relay = new RelayReport(
            new RelayCounts(
                new RelayDirectionCounts(0, 0, 0, 0, 0, 0, 0, null), new RelayDirectionCounts(0, 0, 0, 0, 0, 0, 0, null), 0, 6_000)
            {
                Cuts = 5,
                ResetConnections = 4_990,
            },
            []),
    };

    /// <summary>A burst load that ended by itself.</summary>
    public static RunResult Burst { get; } = Stream.WithPlan(plan => plan with
    {
        Test = "Burst",
        Framing = Framing.Checked,
        Clients = 5,
        ParallelMessages = 10_000,
        MessageSize = 2,
        WorkloadOptions = new SortedDictionary<string, string> { ["--bursts"] = "1" },
    }).WithClients(clients => clients with
    {
        Figures =
        [
            new WorkloadFigure("Clients that completed their bursts", 5, string.Empty, FigureMerge.Sum),
            new WorkloadFigure(WorkloadFigure.WholeTime, 0.2475, "s", FigureMerge.Largest),
        ],
        Distributions = [new NamedLatency("Burst", Valid.Clients.Latency with { Count = 15 })],
    });

    public static ServerResult Server { get; } = new()
    {
        HarnessVersion = "1.2.3",
        Plan = Chosen.Plan,
        LibraryVersion = "1.3.17",
        EndPoint = "127.0.0.1:3333",
        StartedAt = Valid.Clients.StartedAt,
        DurationSeconds = 75.25,
        Server = Chosen.Server! with
        {
            Threads = 1_000,
            Errors = new SortedDictionary<string, long> { ["server got part of a message"] = 1 },
            Disconnects = new SortedDictionary<string, long> { ["server ConnectionReset"] = 2, ["server lost a peer"] = 10 },
        },
        Environment = Valid.Environment,
        Fitness = Valid.Fitness,
        Command = "NetCoreNetworkBenchmark --library ENet --role Server",
    };

    public static ServerResult StreamServer { get; } = Server with
    {
        Plan = Server.Plan with { Protocol = Protocol.Ssl, Transmission = Transmission.Reliable },
        Server = Server.Server with
        {
            Key = "Rsa2048",
            Handshakes = [new NegotiatedTls("1.2", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "secp256r1", false) { Count = 2 }],
        },
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
                OldLatency = Valid.Clients.Latency with { Count = 1_000 },
                NewLatency = new LatencyReport(Valid.LatencyMicroseconds! with { P99 = 66_001, Max = 99_001 }, null) { Count = 1_000 },
            },
            new ComparedCase("Benchmark 1", "Sockets", 2, 2, 100_000, 99_000, 0.99, null, null, Verdict.Undecided)
            {
                Figures =
                [
                    new ComparedFigure(JudgedFigure.ServerCpu, 9.125, 9.25, 1.0137, 0.98, 1.04, Verdict.Same, new RatioInterval(0.95, 1.07, 0.995)),
                    new ComparedFigure(JudgedFigure.MessagesPerSecond, 100_000, 99_000, 0.99, null, null, Verdict.Undecided),
                ],
            },
        ],
        Differences = [new ComparedFact("Framework", ".NET 9.0.1", ".NET 10.0.0", IsOfMachine: false)],
        NotCompared = ["Benchmark 2, ENet is in the old results only."],
    };

    public static ProcessCost Cost(long messages, double user, double system) => new(
        Messages: messages, Seconds: 60.00432, UserCpuSeconds: user, SystemCpuSeconds: system, AllocatedBytes: 24_778, Collections: [3, 2, 1],
        PauseSeconds: 0.0123, CompilationSeconds: null, LockContentions: null, PeakThreads: 14, PeakResidentBytes: 64_000_000,
        VoluntaryContextSwitches: 123_456, InvoluntaryContextSwitches: 789);

    private static IterationResult Step(double rate, long sent, long answered, long late, double p99) => new(1.0001, sent)
    {
        Step = new RateStep(
            rate, sent, answered, Lost: 0, late,
            new LatencyReport(new LatencySummary(p99 / 2, p99 / 2.5, p99 / 1.5, p99 / 1.2, p99, p99 * 1.1, p99 * 1.2, p99 * 1.5), ReferenceVectors.Few)
            {
                Count = sent,
            }),
    };
}
