using System.Reflection;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Sides;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Running.Outcome;

internal static class ResultBuilder
{
    // A process of this program that is idle uses less than 1 % of a core for its heartbeats.
    private const double MaxIdleCores = 0.02;

    public static string HarnessVersion { get; } = Assembly.GetExecutingAssembly()
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    public static RunResult Build(RunMeasurements measurements)
    {
        RunPlan plan = measurements.Plan;
        HostsResult? hosts = HostFigures.From(measurements);
        RunResult result = Assemble(measurements, hosts);
        LoadOutcome outcome = OutcomeOf(result);
        double? gap = CountGap.Find(measurements.Workload, result);
        return result with
        {
            // The validity is judged by the times of the server, but in a process with the clients its cost is that of both.
            Server = measurements.OneProcess && result.Server is { } server ? server with { Cost = null, Idle = null } : result.Server,
            Verdict = new RunVerdict(
            [
                .. Sentence(measurements.Fault),
                .. Validity.FindFaults(result),
                .. Sentence(CountGap.FaultOfTotals(measurements.Workload, result, measurements.Server?.TotalReceived)),
                .. StreamFacts.FindFaults(result),
                .. hosts is null ? [] : HostFigures.FindFaults(hosts, measurements.Fault),
                .. measurements.Workload.FindFaults(plan, outcome),
            ],
            [.. Validity.FindDisturbances(result), .. Sentence(CountGap.FaultOf(gap, result))],
            [
                .. Sentence(measurements.ServerRemark),
                .. IdleRemark("server", result.Server?.Idle),
                .. IdleRemark("clients", result.Clients.Idle),
                .. Sentence(CountGap.RemarkOf(gap, result)),
                .. Sentence(Validity.RemarkOnRelay(result.Relay?.Counts, plan.Impairment)),
                .. hosts is null ? [] : HostFigures.FindRemarks(hosts, result.ClientLibrary is null || result.ClientLibrary == result.Library),
                .. ClientLimit.FindRemarks(result),
                .. UpdateRemark(plan),
                .. measurements.Workload.FindRemarks(plan, outcome),
            ]),
        };
    }

    private static RunResult Assemble(RunMeasurements measurements, HostsResult? hosts)
    {
        RunPlan plan = measurements.Plan;
        ClientReport clients = measurements.Clients;
        return new RunResult
        {
            HarnessVersion = HarnessVersion,
            Id = Guid.CreateVersion7(),
            Plan = plan,
            LibraryVersion = plan.ClientLibrary is null ? clients.LibraryVersion : measurements.Server?.LibraryVersion ?? measurements.Library.Version,
            FirstFigures = measurements.Workload.FirstFigures,
            Address = (plan.MulticastGroup ?? measurements.EndPoint.Address).ToString(),
            Port = measurements.EndPoint.Port,
            ServerKind = measurements.Server is null && measurements.Fault is null ? ServerKind.Separate : ServerKind.Own,
            OneProcess = measurements.OneProcess,
            Clients = clients with
            {
                ReceivedByClient = null,
                Fairness = clients.ReceivedByClient is { Count: > 0 } received ? LoadGeneratorReports.FairnessOf(received) : null,
            },
            Server = measurements.Server is { } served ? served with { Slices = null, TotalReceived = null } : null,
            LoadGenerators = measurements.LoadGenerators.Count == 1 ? null : [.. measurements.LoadGenerators.Select(ShareOf)],
            ServerMemory = measurements.ServerMemory,
            Relay = measurements.Relay,
            Hosts = hosts,
            Fitness = (hosts?.Server?.Fitness ?? measurements.Fitness) with { StealShare = clients.Machine?.StealShare, OtherShare = OtherShare(measurements) },
            Verdict = new RunVerdict([], [], []),
            Environment = (hosts?.Server?.Environment ?? EnvironmentOf(plan, clients)) with { OpenSslVersion = StreamFacts.OpenSslVersionOf(plan) },
            Command = PlanArguments.CommandOf(plan, measurements.Library, measurements.Workload),
        };
    }

    private static LoadOutcome OutcomeOf(RunResult result) => new()
    {
        Server = result.ServerKind == ServerKind.Own
            ? $"the server of {result.Library}"
            : Invariant($"the server at {result.Address}, port {result.Port},"),
        Aborted = result.Clients.Aborted,
        Repetitions = result.Clients.Iterations.Count,
        Answered = result.Messages.ClientReceived,
        Lost = result.Lost,
        Handshakes = result.Tls?.Clients ?? [],
        TimesRecorded = result.Clients.Distributions.ToDictionary(distribution => distribution.Name, distribution => distribution.Latency.Count),
    };

    // The processes that measure have the settings of the plan in addition to those of this process.
    private static EnvironmentInfo EnvironmentOf(RunPlan plan, ClientReport clients)
    {
        EnvironmentInfo here = MachineInspector.Inspect();
        return here with
        {
            GarbageCollector = clients.GarbageCollector ?? here.GarbageCollector,
            Jit = clients.Jit ?? here.Jit,
            RuntimeSettings = new SortedDictionary<string, string>(
                plan.Runtime.Environment.Concat(here.RuntimeSettings).DistinctBy(setting => setting.Key).ToDictionary(), StringComparer.Ordinal),
        };
    }

    private static string[] Sentence(string? sentence) => sentence is null ? [] : [sentence];

    // No update knows when a message was sent, so it waits for half the interval on average.
    private static IEnumerable<string> UpdateRemark(RunPlan plan)
    {
        double wait = new[] { plan.ServerUpdateRate, plan.ClientUpdateRate }.Sum(rate => rate is { } updates ? 500.0 / updates : 0);
        return wait == 0 ? [] :
        [
            Invariant($"On average, {wait:0.###} ms of a round trip are waits for updates: half an interval of each loop that has them. ") +
                "What the mean is above this, the library and the machine add.",
        ];
    }

    // A library with timers takes CPU time from the other cases of the set while its load is paused. The work of the JIT compiler is not the library's.
    private static IEnumerable<string> IdleRemark(string side, ProcessCost? idle) =>
        idle is not null && PerSecond(idle.CpuSeconds - (idle.CompilationSeconds ?? 0), idle.Seconds) > MaxIdleCores
        ?
        [
            Invariant($"The {side} used more than {MaxIdleCores * 100:0} % of a core while the load was paused: the library is not idle between slices."),
        ]
        : [];

    // A run that was aborted at the start of its measurement has measured no time at all.
    private static double PerSecond(double amount, double seconds) => seconds > 0 ? amount / seconds : 0;

    private static LoadGeneratorShare ShareOf(ClientReport generator) =>
        new(generator.Clients, generator.Measured.ClientReceived, generator.DurationSeconds, generator.Cost);

    // The time of a relay is not reported. With a relay, the share of others is therefore unknown.
    private static double? OtherShare(RunMeasurements measurements)
    {
        if (measurements.Clients.Machine is not { } machine || measurements.Relay is not null || !measurements.Plan.Hosts.IsNone)
        {
            return null;
        }

        // Each side has its own watch: a server whose pool is full reads its watch later than the clients do.
        double cores = BusyCores(measurements.Clients.Cost) + (measurements.OneProcess ? 0 : BusyCores(measurements.Server?.Cost));
        return Math.Max(0, machine.BusyShare - (cores / machine.Cores));
    }

    private static double BusyCores(ProcessCost? cost) => cost is null ? 0 : PerSecond(cost.CpuSeconds, cost.Seconds);
}

internal sealed record RunMeasurements
{
    public required RunPlan Plan { get; init; }
    public required LibraryInfo Library { get; init; }
    public required IPEndPoint EndPoint { get; init; }
    public required IWorkload Workload { get; init; }
    public required IReadOnlyList<ClientReport> LoadGenerators { get; init; }
    public ClientReport Clients => field ??= LoadGeneratorReports.Merge(LoadGenerators);
    public ServerReport? Server { get; init; }
    public string? ServerRemark { get; init; }
    public bool OneProcess { get; init; }
    public ServerMemory? ServerMemory { get; init; }
    public RelayReport? Relay { get; init; }
    public required Fitness Fitness { get; init; }
    public HostReport? ServerHost { get; init; }

    /// <summary>In the order of <see cref="LoadGenerators"/>; null for one on the coordinator's machine.</summary>
    public IReadOnlyList<HostReport?> GeneratorHosts { get; init; } = [];

    /// <summary>The time between the beginnings of the measurements; null with one load generator.</summary>
    public TimeSpan? StartSkew { get; init; }
    public IReadOnlyList<MissingHost> MissingHosts { get; init; } = [];
    public string? Fault { get; init; }
}
