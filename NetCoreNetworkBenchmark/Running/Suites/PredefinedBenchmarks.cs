using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// The benchmarks of <c>-b</c>: those of the original harness, which its published results belong to, and NetCoreServer's matrix of round trip and multicast
/// over TCP, SSL and UDP.
/// </summary>
internal static class PredefinedBenchmarks
{
    public const int Sets = 3;

    // A game server with an update rate of 20 Hz.
    private const int GameClients = 1000;
    private const double GameRateOfClient = 20;

    // With two sets there is an interval, and a rate that is given is not compared.
    private const int FirstLookSetsAtRate = 2;

    // The half widths at which a benchmark ends.
    private const double AimOfOriginal = 0.04;
    private const double AimOfFirstLook = 0.06;

    // The rate varies more, and slices take longer to fill.
    private const double FactorOfDeepWindow = 1.4;

    /// <summary>The number of sets of the benchmark for framed messages, which has many loads.</summary>
    public const int FramedSets = 1;

    /// <summary>The delay each way of the benchmark under loss, of which a round trip has twice.</summary>
    public static readonly TimeSpan LossDelay = TimeSpan.FromMilliseconds(10);

    private const int MessagesInFlight = 1000;
    private const int HandshakeClients = 100;

    private static readonly TlsKey[] s_keys = [TlsKey.Rsa2048, TlsKey.P256];
    private static readonly int[] s_matrixClients = [1, 100];

    // A small multiplayer game: each client sends its input, and the server answers, at 60 Hz (Docs/head-of-line-blocking.md).
    private const int LossClients = 20;
    private const double LossRateOfClient = 60;
    private const int LossBytes = 100;

    // So that the rare losses of the lowest share reach the 99.9th percentile.
    private const int LossTurns = 4;

    // What is not sent again comes within a hundred round trips or not at all.
    private static readonly TimeSpan s_unreliableDeadline = TimeSpan.FromSeconds(2);
    private static readonly double[] s_losses = [0, 0.001, 0.01, 0.05];

    // The kernel's own datagrams and TCP, without a library around them.
    private static readonly string[] s_rawLibraries = ["Sockets", "Epoll"];

    private static readonly TimeSpan s_heartbeat = TimeSpan.FromSeconds(5);

    // The benchmark for framed messages, as the reference has it. A burst of large messages has fewer of them, so that it fits in memory.
    private const int BurstMessages = 100;
    private const int BurstBytes = 10_000_000;
    private const int QueryBytes = 2;
    private static readonly int[] s_contents = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
    private static readonly (int Clients, int Messages, double Published)[] s_queries = [(5, 10_000, 202_020), (5, 100_000, 290_274), (10, 100_000, 150_262)];
    private static readonly TimeSpan s_queryDeadline = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_briefWarmUp = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_firstLook = TimeSpan.FromSeconds(1.35);
    private static readonly TimeSpan s_brief = TimeSpan.FromSeconds(2);

    /// <summary>The time of all slices of a case in a set, in the original's benchmarks. The load settles and drains in it.</summary>
    public static readonly TimeSpan Duration = TimeSpan.FromSeconds(2.5);

    /// <summary>The time after which no benchmark of a part has further sets, unless the user chose one.</summary>
    public static TimeSpan LimitOf(SuitePart part) => part == SuitePart.Quick ? TimeSpan.FromSeconds(90) : TimeSpan.FromMinutes(25);

    /// <summary>The benchmarks of a part, in the order in which they run.</summary>
    /// <param name="duration">
    /// The time of a case's slices in a set of the original's benchmarks; the others have 0.6 s of it at most. No warm-up is longer.
    /// </param>
    public static IReadOnlyList<Benchmark> Of(SuitePart part, TimeSpan duration, int port, bool anyMachine, IReadOnlyCollection<IWorkload> workloads)
    {
        IWorkload With(BenchmarkRole role) => workloads.Single(workload => workload.Role == role);
        IWorkload standard = With(BenchmarkRole.Standard);
        IWorkload[] tests = [With(BenchmarkRole.RoundTrips), With(BenchmarkRole.ServerPush)];
        var template = new RunPlan { Library = string.Empty, MessageSize = 32, Port = port, AnyMachine = anyMachine };
        TimeSpan Within(TimeSpan time) => time < duration ? time : duration;
        RunPlan matrix = template with { WarmUp = Within(s_briefWarmUp), Duration = Within(s_brief) };
        RunPlan original = part == SuitePart.Quick
            ? matrix with { Duration = Within(s_firstLook) }
            : template with { WarmUp = Within(s_warmUp), Duration = duration };
        return part switch
        {
            SuitePart.Udp => [.. Original(original, part, standard), .. Matrix(matrix, tests, Protocol.Udp)],
            SuitePart.Tcp => [.. Matrix(matrix, tests, Protocol.Tcp)],
            SuitePart.Ssl => [.. Matrix(matrix, tests, Protocol.Ssl)],
            SuitePart.Tls => [.. Handshakes(original, With(BenchmarkRole.Handshakes))],
            SuitePart.TlsMatrix => [.. HandshakeMatrix(matrix, With(BenchmarkRole.Handshakes))],
            SuitePart.Framed => [.. Framed(matrix, tests[0], With(BenchmarkRole.Bursts))],
            SuitePart.Loss => [.. Loss(original with { Duration = LossTurns * duration }, standard)],
            SuitePart.Quick => [.. Original(original, part, standard)],
            _ =>
            [
                .. Original(original, part, standard),
                .. Matrix(matrix, tests, Protocol.Tcp),
                .. Matrix(matrix, tests, Protocol.Ssl),
                .. Matrix(matrix, tests, Protocol.Udp),
            ],
        };
    }

    // As many server threads as there are cores, for servers that have a thread or process for each core.
    private static IEnumerable<Benchmark> Handshakes(RunPlan template, IWorkload workload) =>
        from key in s_keys
        select HandshakeCase($"TLS handshakes, {key}", template with { ServerThreads = Environment.ProcessorCount }, workload, new TlsPlan { Key = key });

    // One server thread: each thread of a server may have a cache of sessions of its own.
    private static IEnumerable<Benchmark> HandshakeMatrix(RunPlan template, IWorkload workload) =>
        from key in s_keys
        from version in (string[])[TlsPlan.Version13, TlsPlan.Version12]
        from resumption in (string[])[TlsPlan.NoResumption, TlsPlan.ByTicket, TlsPlan.BySession]
        from @group in (string[])["x25519", "secp256r1", "secp384r1"]
        let tls = new TlsPlan { Key = key, Version = version, Resumption = resumption, Group = @group }
        select HandshakeCase($"TLS {version} handshakes, {key}", template, workload, tls) with
        {
            Variant = resumption == TlsPlan.NoResumption ? @group : $"{@group}, {resumption}",
        };

    private static Benchmark HandshakeCase(string title, RunPlan template, IWorkload workload, TlsPlan tls)
    {
        RunPlan plan = template with
        {
            Test = workload.Name,
            Protocol = Protocol.Ssl,
            Transmission = Transmission.Reliable,
            Clients = HandshakeClients,
            Tls = tls,
        };
        return new Benchmark(title, workload, workload.Complete(plan), Sets);
    }

    private static IEnumerable<Benchmark> Loss(RunPlan template, IWorkload workload)
    {
        static bool IsRaw(LibraryInfo library) => s_rawLibraries.Contains(library.Name);
        static bool IsReliable(LibraryInfo library) => library.Find(Protocol.Udp, Transmission.Reliable) is not null;
        (string Name, Protocol Protocol, Transmission Transmission, Func<LibraryInfo, bool> Suits)[] deliveries =
        [
            ("unreliable", Protocol.Udp, Transmission.Unreliable, library => IsReliable(library) || IsRaw(library)),
            ("reliable", Protocol.Udp, Transmission.Reliable, IsReliable),
            ("TCP", Protocol.Tcp, Transmission.Reliable, IsRaw),
            ("QUIC", Protocol.Quic, Transmission.Reliable, library => library.Protocols.Contains(Protocol.Quic)),
        ];
        return
            from loss in s_losses
            from delivery in deliveries
            let plan = template with
            {
                Test = workload.Name,
                Protocol = delivery.Protocol,
                Transmission = delivery.Transmission,
                Clients = LossClients,
                Rate = LossClients * LossRateOfClient,
                MessageSize = LossBytes,
                LossDeadline = delivery.Transmission == Transmission.Unreliable ? s_unreliableDeadline : template.LossDeadline,
                Impairment = new ImpairmentPlan { Loss = loss, Delay = LossDelay },
            }
            select new Benchmark(Invariant($"{loss * 100:0.#} % loss, {2 * LossDelay.TotalMilliseconds:0} ms"), workload, plan, Sets)
            {
                Part = "Reliable and unreliable delivery under loss",
                Variant = delivery.Name,
                Suits = delivery.Suits,
            };
    }

    private static IEnumerable<Benchmark> Framed(RunPlan template, IWorkload roundTrip, IWorkload burst)
    {
        Protocol[] protocols = [Protocol.Tcp, Protocol.Ssl];
        return
        [
            .. from protocol in protocols
               from size in s_contents
               let plan = FramedPlan(template, roundTrip, protocol, 1, 1, size)
               select FramedCase("Round trip", "Group 1: one client, one message in flight", roundTrip, plan, LatenciesOf(Bytes(size))),
            .. from protocol in protocols
               from size in s_contents
               let plan = FramedPlan(template, burst, protocol, 1, Math.Min(BurstMessages, BurstBytes / size), size)
               let row = LatenciesOf(Invariant($"{plan.ParallelMessages:N0} x {Bytes(size)}"))
               select FramedCase("Bursts", "Group 2: one client, bursts", burst, plan, row),
            .. from protocol in protocols
               from query in s_queries
               let plan = FramedPlan(template, burst, protocol, query.Clients, query.Messages, QueryBytes)
               select QueryCase(plan, burst, protocol == Protocol.Tcp ? query.Published : null),
        ];
    }

    private static BenchmarkRow LatenciesOf(string load) => new(RowTable.Latencies, load);

    private static string Bytes(int size) => Invariant($"{size:N0} {(size == 1 ? "byte" : "bytes")}");

    // The time of a query counts from the first message to the last answer, so the load ends by itself.
    private static Benchmark QueryCase(RunPlan plan, IWorkload burst, double? published) => FramedCase(
        "Queries",
        Invariant($"Group 3: several clients, one burst of messages of {QueryBytes} bytes each"),
        burst,
        burst.Complete(burst.Options.Single().Apply(plan with { Duration = s_queryDeadline, LossDeadline = s_queryDeadline }, "1")),
        new BenchmarkRow(RowTable.TotalTimes, Invariant($"{plan.Clients:N0} x {plan.ParallelMessages:N0}")) { Published = published });

    private static Benchmark FramedCase(string title, string part, IWorkload workload, RunPlan plan, BenchmarkRow row)
    {
        string protocol = plan.Protocol.ToString().ToUpperInvariant();
        return new Benchmark($"{title} {protocol}, {row.Load}", workload, plan, FramedSets) { Part = $"{part}, {protocol}", Row = row };
    }

    // Every plan of the benchmark for framed messages is made here.
    private static RunPlan FramedPlan(RunPlan template, IWorkload workload, Protocol protocol, int clients, int messages, int size) =>
        workload.Complete(template with
        {
            Test = workload.Name,
            Protocol = protocol,
            Transmission = Transmission.Reliable,
            Framing = Framing.Checked,
            Liveness = new LivenessPlan { Heartbeat = s_heartbeat },
            Clients = clients,
            ParallelMessages = messages,
            MessageSize = size,
        });

    private static Benchmark[] Original(RunPlan template, SuitePart part, IWorkload workload)
    {
        bool whole = part != SuitePart.Quick;
        RunPlan plan = template with { Test = workload.Name };
        return
        [
            .. from load in (IEnumerable<(string Title, RunPlan Plan)>)
               [
                   ("Benchmark 1", plan with { Clients = 1000, ParallelMessages = 1 }),
                   ("Benchmark 2", plan with { Clients = 100, ParallelMessages = 1000, Duration = FactorOfDeepWindow * plan.Duration }),
                   ("Benchmark 3", plan with { Clients = GameClients, ParallelMessages = 1, Rate = GameClients * GameRateOfClient }),
               ]
               select new Benchmark(load.Title, workload, load.Plan, whole || load.Plan.Rate is null ? Sets : FirstLookSetsAtRate)
               {
                   WithTunedProfiles = whole && load.Plan.Rate is null,
                   RankedBy = load.Plan.Rate is null ? RankedFigure.MessagesPerSecond : RankedFigure.ServerCpu,
                   Aim = whole ? AimOfOriginal : AimOfFirstLook,
                   HasBaselines = true,
               },
        ];
    }

    private static IEnumerable<Benchmark> Matrix(RunPlan template, IWorkload[] tests, Protocol protocol)
    {
        foreach (IWorkload test in tests)
        {
            foreach (int clients in s_matrixClients)
            {
                yield return MatrixCase(template, test, protocol, clients);
            }
        }

        foreach (int clients in protocol.IsStream() ? s_matrixClients : [])
        {
            Benchmark common = MatrixCase(template, tests[0], protocol, clients);
            yield return common with { Title = $"{common.Title}, own clients", OwnClients = true, WithTunedProfiles = false };
        }
    }

    private static Benchmark MatrixCase(RunPlan template, IWorkload test, Protocol protocol, int clients)
    {
        string title = Invariant($"{test.Name} {protocol.ToString().ToUpperInvariant()}, {clients} {(clients == 1 ? "client" : "clients")}");
        RunPlan plan = template with
        {
            Test = test.Name,
            Protocol = protocol,
            Transmission = protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable,
            Clients = clients,
            ParallelMessages = MessagesInFlight,
        };
        return new Benchmark(title, test, plan, Sets)
        {
            Part = "Round trip and multicast",
            WithTunedProfiles = protocol.IsStream(),
            HasBaselines = true,
        };
    }
}
