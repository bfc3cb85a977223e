using System.Reflection;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Outcome;

internal static class ResultBuilder
{
    public static string HarnessVersion { get; } = Assembly.GetExecutingAssembly()
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    public static RunResult Build(RunMeasurements measurements)
    {
        RunResult result = Assemble(measurements, HostFigures.From(measurements));
        return result with
        {
            // The validity is judged by the times of the server, but in a process with the clients its cost is that of both.
            Server = measurements.OneProcess && result.Server is { } server ? server with { Cost = null, Idle = null } : result.Server,
            Verdict = Validity.Judge(measurements, result),
        };
    }

    private static RunResult Assemble(RunMeasurements measurements, HostsResult? hosts)
    {
        RunPlan plan = measurements.Plan;
        ClientReport clients = measurements.Clients;
        ServerKind kind = measurements.Server is null && measurements.Fault is null ? ServerKind.Separate : ServerKind.Own;
        return new RunResult
        {
            HarnessVersion = HarnessVersion,
            Id = Guid.CreateVersion7(),
            Plan = plan,
            LibraryVersion = plan.ClientLibrary is null ? clients.LibraryVersion : measurements.Server?.LibraryVersion ?? measurements.Library.Version,
            FirstFigures = measurements.Workload.FirstFigures,
            Address = (plan.MulticastGroup ?? measurements.EndPoint.Address).ToString(),
            Port = measurements.EndPoint.Port,
            ServerKind = kind,
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
            Environment = (hosts?.Server?.Environment ?? EnvironmentOf(plan, clients)) with { OpenSslVersion = MachineInspector.OpenSslVersionFor(plan) },
            Command = PlanArguments.CommandOf(
                plan, measurements.Library, measurements.Workload, kind == ServerKind.Separate ? ["--role", "Client"] : []),
        };
    }

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
