namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>Those of the original harness, which its published results belong to, and NetCoreServer's matrix over TCP, SSL and UDP.</summary>
internal static class PredefinedBenchmarks
{
    public const int Sets = 3;

    // A game server with an update rate of 20 Hz.
    private const int GameClients = 500;
    private const double GameRateOfClient = 20;
    private const int Players = 100;

    // The half widths at which a benchmark ends.
    private const double TargetOfOriginal = 0.04;
    private const double TargetOfFirstLook = 0.06;

    private const int MessagesInFlight = 1000;
    private static readonly int[] s_matrixClients = [1, 100];
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_briefWarmUp = TimeSpan.FromSeconds(1.5);

    // Sets of processes differ more than slices do, so a first look has short sets, and as many as fit into its time. A drained load has longer slices.
    private static readonly TimeSpan s_firstLook = TimeSpan.FromSeconds(0.65);
    private static readonly TimeSpan s_drainedFirstLook = TimeSpan.FromSeconds(1.1);
    private static readonly TimeSpan s_brief = TimeSpan.FromSeconds(2);

    /// <summary>Of all slices of a case in a set. The load settles and drains in it.</summary>
    public static readonly TimeSpan Duration = TimeSpan.FromSeconds(2.5);

    /// <summary>The further sets of a part end within it, unless the user chose a time.</summary>
    public static TimeSpan LimitOf(SuitePart part) => part == SuitePart.Quick ? TimeSpan.FromSeconds(140) : TimeSpan.FromMinutes(25);

    /// <param name="duration">Of a case's slices in a set of the original's benchmarks; the others have at most 2 s of it. No warm-up is longer.</param>
    public static IReadOnlyList<Benchmark> Create(SuitePart part, TimeSpan duration, int port, bool anyMachine, IReadOnlyCollection<IWorkload> workloads)
    {
        IWorkload With(BenchmarkRole role) => workloads.Single(workload => workload.Role == role);
        IWorkload standard = With(BenchmarkRole.Standard);
        IWorkload[] tests = [With(BenchmarkRole.RoundTrips), With(BenchmarkRole.ServerPush)];
        var template = new RunPlan { Library = string.Empty, MessageSize = 32, Port = port, AnyMachine = anyMachine };
        TimeSpan Within(TimeSpan time) => time < duration ? time : duration;
        RunPlan matrix = template with { WarmUp = Within(s_briefWarmUp), Duration = Within(s_brief) };
        RunPlan original = part == SuitePart.Quick
            ? matrix with { Duration = Within(s_drainedFirstLook) }
            : template with { WarmUp = Within(s_warmUp), Duration = duration };
        return part switch
        {
            SuitePart.Udp =>
            [
                .. Original(original, part, standard),
                Snapshots(original, With(BenchmarkRole.Replication)),
                .. Matrix(matrix, tests, Protocol.Udp),
            ],
            SuitePart.Tcp => [.. Matrix(matrix, tests, Protocol.Tcp)],
            SuitePart.Ssl => [.. Matrix(matrix, tests, Protocol.Ssl)],
            SuitePart.Tls => [.. HandshakeBenchmarks.OfLibraries(original, With(BenchmarkRole.Handshakes))],
            SuitePart.TlsMatrix => [.. HandshakeBenchmarks.OfSettings(matrix, With(BenchmarkRole.Handshakes))],
            SuitePart.Framed => [.. FramedBenchmarks.Create(matrix, tests[0], With(BenchmarkRole.Bursts))],
            SuitePart.Loss => [.. LossBenchmarks.Create(original, standard)],
            SuitePart.Quick => [.. Original(original, part, standard)],
            _ =>
            [
                .. Original(original, part, standard),
                Snapshots(original, With(BenchmarkRole.Replication)),
                .. Matrix(matrix, tests, Protocol.Tcp),
                .. Matrix(matrix, tests, Protocol.Ssl),
                .. Matrix(matrix, tests, Protocol.Udp),
            ],
        };
    }

    private static Benchmark[] Original(RunPlan template, SuitePart part, IWorkload workload)
    {
        bool whole = part != SuitePart.Quick;
        RunPlan plan = template with { Test = workload.Name };
        TimeSpan ofClosedLoop = whole || plan.Duration < s_firstLook ? plan.Duration : s_firstLook;
        return
        [
            .. from load in (IEnumerable<(string Title, RunPlan Plan)>)
               [
                   ("Benchmark 1", plan with { Clients = 1000, ParallelMessages = 1, Duration = ofClosedLoop }),
                   ("Benchmark 2", plan with { Clients = 100, ParallelMessages = 1000, Duration = ofClosedLoop }),
                   ("Benchmark 3", plan with { Clients = GameClients, ParallelMessages = 1, Rate = GameClients * GameRateOfClient }),
               ]
               select new Benchmark(load.Title, workload, load.Plan, Sets)
               {
                   WithTunedProfiles = whole && load.Plan.Rate is null,
                   TargetHalfWidth = whole ? TargetOfOriginal : TargetOfFirstLook,
                   HasBaselines = true,

                   // Clients that send late measure themselves. NetCoreServer's own take more of two cores than its server leaves.
                   SharesClients = load.Plan.Rate is not null,
               },
        ];
    }

    // Not a part of the first look: its three benchmarks take all of the 150 s that it has.
    private static Benchmark Snapshots(RunPlan template, IWorkload workload)
    {
        RunPlan plan = workload.Options.Where(option => option.Default is not null).Aggregate(
            template with { Test = workload.Name, Clients = Players }, (completed, option) => option.Apply(completed, option.Default!));
        return new Benchmark("Benchmark 4", workload, workload.Complete(plan), Sets) { TargetHalfWidth = TargetOfOriginal, HasBaselines = true };
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
        string title = $"{test.Name} {protocol.ToString().ToUpperInvariant()}, {Plural.Format(clients, "client", format: "0")}";
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
