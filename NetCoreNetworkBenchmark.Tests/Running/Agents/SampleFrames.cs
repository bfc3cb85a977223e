using NetCoreNetworkBenchmark.Tests.Histograms;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

/// <summary>One frame of every type, with no value left at its default.</summary>
internal static class SampleFrames
{
    private static readonly byte[][] s_messages = [new byte[16], new byte[25]];

    public static RunPlan Plan { get; } = new()
    {
        Test = "Other",
        Library = "Sockets",
        Assemblies = [new AdapterAssembly("/lib.dll", "lib", "1.2.3", "abc")],
        Profile = Profile.Tuned,
        Variant = "reactor",
        Settings = new Dictionary<string, string> { ["batch"] = "gso" },
        Protocol = Protocol.Ssl,
        Framing = Framing.Length,
        Liveness = new LivenessPlan { Heartbeat = TimeSpan.FromSeconds(5), HeartbeatMisses = 4, Reconnect = TimeSpan.FromSeconds(1) },
        Tls = new TlsPlan
        {
            Key = TlsKey.P384,
            Version = "1.3",
            Mutual = true,
            ServerName = "example.org",
            CertificateFile = "server.crt",
            CertificateKeyFile = "server.key",
            AuthorityFile = "ca.crt",
        },
        ClientLibrary = "Epoll",
        ClientSettings = new Dictionary<string, string> { ["batch"] = "call" },
        WorkloadOptions = new Dictionary<string, string> { ["--deadline"] = "1s" },
        MulticastInterface = "127.0.0.2",
        Transmission = Transmission.Reliable,
        Address = "239.255.0.7",
        Port = 4444,
        Clients = 7,
        ServerThreads = 2,
        ClientThreads = 1_000,
        ParallelMessages = 8,
        MessageSize = 90,
        SmallestMessage = 16,
        Payload = new Payload("chat.txt", 2, 20.5, "abc") { Content = s_messages },
        MessageLoad = MessageLoad.Random,
        WarmUp = TimeSpan.FromSeconds(1.5),
        Duration = TimeSpan.FromSeconds(2.5),
        Iterations = 3,
        Rate = 0.1,
        Think = TimeSpan.FromMilliseconds(10),
        Tick = TimeSpan.FromMilliseconds(50),
        Channels = 2,
        ServerUpdateRate = 60,
        ClientUpdateRate = 30,
        LossDeadline = TimeSpan.FromTicks(1),
        ConnectDeadline = TimeSpan.FromSeconds(16),
        StopDeadline = TimeSpan.FromSeconds(6),
        AnyMachine = true,
        Limits = [new RunLimit(LimitKind.Latency, 5_000, 99, "p99=5ms")],
        Arrivals = Arrivals.Poisson,
        LastRate = 3_000,
        Impairment = new ImpairmentPlan
        {
            Delay = TimeSpan.FromMilliseconds(1),
            Jitter = TimeSpan.FromMilliseconds(0.5),
            Loss = 0.01,
            LossBurst = 2,
            Duplicate = 0.04,
            Reorder = 0.03,
            Corrupt = 0.02,
            Stall = new Interruption(TimeSpan.FromMilliseconds(2), TimeSpan.FromSeconds(1)),
            Outage = new Interruption(TimeSpan.FromMilliseconds(4), TimeSpan.FromSeconds(3)),
            Roam = TimeSpan.FromSeconds(4),
            Cut = new Interruption(TimeSpan.FromMilliseconds(3), TimeSpan.FromSeconds(2)),
            BandwidthBitsPerSecond = 1000,
            NeighbourBitsPerSecond = 100_000,
            Seed = 5,
        },
        Pinning = new PinningPlan { ServerCores = [0], ClientCores = [1, 3] },
        Runtime = new RuntimePlan().With("gcServer", "1"),
        Seed = 2,
        Hosts = new HostsPlan
        {
            ServerHost = "me@one",
            ClientHosts = [new ClientHost("two", 3), new ClientHost("three", 2)],
            Launcher = Launcher.Slurm,
            Deploy = true,
            Programs = new Dictionary<string, string> { ["two"] = "/tmp/program" },
        },
    };

    public static TlsCredentials Credentials { get; } = new()
    {
        Authority = "a\n",
        ServerCertificate = "b\nc\n",
        ServerKey = "d",
        ClientCertificate = "e",
        ClientKey = "f",
    };

    public static ClientReport Clients { get; } = new()
    {
        LibraryVersion = "1.0",
        Clients = 7,
        ConnectSeconds = 0.25,
        Threads = 3,
        Pinning = new SidePinning([1, 3], [1]),
        Remarks = ["The kernel has no feature, so \"gso\" fell back."],
        StartedAt = DateTimeOffset.UnixEpoch,
        WarmUpSeconds = 0.1,
        WarmUpSteady = true,
        DurationSeconds = 1.0 / 3,
        Measured = new MessageCounters { ClientSent = long.MaxValue, ClientReceived = 1, ServerReceived = 2, ServerSent = 3, GivenUp = 4 },
        AfterStart = new MessageCounters { ClientSent = 5 },
        Whole = new MessageCounters { ClientSent = 6 },
        Handshakes = [new NegotiatedTls("1.3", "TLS_AES_256_GCM_SHA384", "x25519", true) { Count = 7 }],
        Errors = new SortedDictionary<string, long> { ["client \"lost\"\nits server\u2028"] = 1 },
        Iterations = [new IterationResult(0.5, 10)],
        Aborted = true,
        Cost = SampleResults.Valid.Costs.Clients!,
        Idle = SampleResults.Valid.Costs.Clients,
        Latency = new LatencyReport(SampleResults.Valid.LatencyMicroseconds, ReferenceVectors.ManyBits),
        Uncorrected = new LatencyReport(null, null),
        ReceivedByClient = [3, 4],
        Figures = [new WorkloadFigure("Bursts", 2, string.Empty, FigureMerge.Sum)],
        Parts = [new NamedLatency("TLS handshake", new LatencyReport(SampleResults.Valid.LatencyMicroseconds, ReferenceVectors.ManyBits))],
        Distributions = [new NamedLatency("Burst", new LatencyReport(SampleResults.Valid.LatencyMicroseconds, ReferenceVectors.ManyBits))],
        Machine = new MachineUse(0.5, 0.25, 4),
        GarbageCollector = "Server, concurrent",
        Timeline = SampleResults.Followed.Clients.Timeline,
    };

    public static ServerReport Server { get; } = new()
    {
        LibraryVersion = "1.0",
        Threads = 2,
        Pinning = new SidePinning([0], [0]),
        Remarks = ["One.", "Two."],
        Received = 1,
        Sent = 2,
        Errors = new SortedDictionary<string, long> { [RunRecorder.PeerLost] = 3 },
        Key = "P384",
        Handshakes = [new NegotiatedTls("1.2", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", null, null) { Count = 8 }],
        Cost = SampleResults.Valid.Costs.Server!,
        Idle = SampleResults.Valid.Costs.Server,
        GarbageCollector = "Workstation",
        Timeline = SampleResults.Followed.Server!.Timeline,
    };

    public static Frame[] All { get; } =
    [
        new AckFrame(),
        new LengthFrame(5_000_000),
        new HelloFrame("1.2.3", AgentRole.Client, Plan, "127.0.0.1:3333")
        {
            Credentials = Credentials,
            Payload = s_messages,
            HasOtherLoadGenerators = true,
            HasLiveFigures = true,
            MayBeSuspended = true,
        },
        new ReadyFrame("127.0.0.1:3333"),
        new GoFrame(),
        new SliceFrame(new MeasureCommand(0.02, 0.2, StaysInFlight: true, DiscardsEarlier: true), new SliceReport(0.21, 22, 0.23, 0.24, 0.25)),
        new PhaseFrame(RunPhase.Measure),
        new DiscardFrame(),
        new StepFrame(),
        new HostFrame(new HostFacts
        {
            ProcessId = 14,
            MachineName = "two",
            BootId = "boot",
            Clock = DateTimeOffset.UnixEpoch,
            Environment = SampleResults.Valid.Environment,
            Fitness = SampleResults.Valid.Fitness,
            Turbo = true,
            Addresses = ["10.0.0.2"],
            Mtu = 9_000,
        }),
        new MemoryFrame(new ProcessMemory(3, 4)),
        new CompilationFrame(5),
        new ProgressFrame(
            new RunProgress(
                RunPhase.Drain,
                TimeSpan.FromSeconds(1),
                TimeSpan.FromSeconds(2),
                0.1,
                new LiveFigures(1) { P50Microseconds = 2, P99Microseconds = 3, InFlight = 4, Lost = 5, ClientCores = 6, ServerCores = 7, CoresOfBoth = 8 },
                "two"),
            TimeSpan.FromSeconds(3)),
        new StopFrame(),
        new ResultFrame
        {
            Clients = Clients,
            Server = Server,
            Relay = new RelayCounts(
                new RelayDirectionCounts(1, 2, 3, 4, 5, 6, 7, null, 8, new WireTraffic(9, 10)), new RelayDirectionCounts(1, 2, 3, 4, 5, 6, 7, 8), 9, 10)
            {
                Cuts = 11,
                ResetConnections = 12,
                Outages = 13,
                Roams = 14,
            },
            Control = 123.456,
        },
        new FailureFrame("It cannot be: \"done\".", IsBadInput: true),
        new ByeFrame(),
    ];
}
