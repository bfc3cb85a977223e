using System.Globalization;
using System.Reflection;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Outcome;

/// <summary>Builds the result of a run from the reports of its sides.</summary>
internal static class ResultBuilder
{
    private const double BytesPerMegabyte = 1024 * 1024;

    // A process of this program that is idle uses less than 1 % of a core for its signs of life.
    private const double MostIdleCores = 0.02;

    public static string HarnessVersion { get; } = Assembly.GetExecutingAssembly()
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    public static RunResult Build(RunMeasurements evidence)
    {
        RunPlan plan = evidence.Plan;
        ClientReport clients = evidence.Clients;
        double seconds = clients.DurationSeconds;
        SortedDictionary<string, long> errors = AllErrors(evidence);
        RunTotals totals = Totals(clients);
        HostsResult? hosts = HostFigures.Of(evidence);
        var result = new RunResult
        {
            HarnessVersion = HarnessVersion,
            Id = Guid.CreateVersion7(),
            Library = evidence.Library.Name,
            LibraryVersion = plan.ClientLibrary is null ? clients.LibraryVersion : evidence.Server?.LibraryVersion ?? evidence.Library.Version,
            Protocol = plan.Protocol.ToString(),
            Transmission = plan.Transmission.ToString(),
            Framing = StreamFacts.FramingOf(plan),
            NoDelay = StreamFacts.NoDelayOf(plan),
            ClientLibrary = StreamFacts.ClientLibraryOf(plan),
            ClientLibraryVersion = plan.Protocol.IsStream() ? clients.LibraryVersion : null,
            Tls = StreamFacts.TlsOf(plan, clients.Handshakes, evidence.Server),
            Test = plan.Test,
            TestOptions = plan.WorkloadOptions.Count == 0 ? null : plan.WorkloadOptions,
            Layout = evidence.Workload.Layout == FigureLayout.Original ? null : evidence.Workload.Layout,
            Address = (MulticastGroup.Of(plan) ?? evidence.EndPoint.Address).ToString(),
            MulticastInterface = MulticastGroup.Of(plan) is null ? null : plan.MulticastInterface,
            Port = evidence.EndPoint.Port,
            Clients = plan.Clients,
            ParallelMessages = plan.ParallelMessages,
            MessageSize = plan.MessageSize,
            MessageLoad = plan.MessageLoad.ToString(),
            Profile = plan.Profile.ToString(),
            Variant = plan.Variant,
            Settings = plan.Settings,
            ServerThreads = evidence.Server?.Threads,
            ClientThreads = clients.Threads,
            Pinning = Pinning(evidence),
            Remarks = [.. Remarks(evidence)],
            StartedAt = clients.StartedAt,
            ConnectSeconds = clients.ConnectSeconds,
            ServerMemory = evidence.ServerMemory,
            Hosts = hosts,
            Drivers = evidence.Drivers.Count == 1 ? null : [.. evidence.Drivers.Select(ShareOf)],
            Figures = clients.Figures.Count == 0 ? null : clients.Figures,
            WarmUpSeconds = clients.WarmUpSeconds,
            WarmUpSteady = clients.WarmUpSteady,
            DefinedDurationSeconds = plan.Duration.TotalSeconds,
            DurationSeconds = seconds,
            Iterations = clients.Iterations,
            Messages = Messages(evidence),
            ClientShares = clients.ReceivedByClient is { Count: > 0 } received ? ClientFairness.Of(received) : null,
            Lost = Math.Max(0, clients.AfterStart.Lost) + LostAtEnd(clients),
            Duplicated = clients.AfterStart.Duplicated,
            Reordered = clients.AfterStart.Reordered,
            Corrupted = clients.AfterStart.Corrupted,
            Errors = errors.Values.Sum(),
            ErrorsByName = errors,
            Foreign = evidence.Server is { Foreign.Count: > 0 } server ? server.Foreign : null,
            Heartbeats = plan.Liveness.Heartbeat is null ? null : new HeartbeatCounts(
                evidence.Server?.HeartbeatsSent, evidence.Server?.HeartbeatsReceived, clients.Measured.HeartbeatsSent, clients.Measured.HeartbeatsReceived),
            Reconnections = clients.Reconnections?.ResultWith(evidence.Server?.Disconnects),
            Totals = totals,
            LatencyKind = clients.LatencyKind,
            MessagesPerSecond = PerSecond(clients.Measured.ClientReceived, seconds),
            MegabytesPerSecond = PerSecond(clients.Measured.ClientReceived * plan.MessageSize / BytesPerMegabyte, seconds),
            LatencyMicroseconds = clients.Latency.Summary,
            UncorrectedLatencyMicroseconds = clients.Uncorrected?.Summary,
            Parts = clients.Parts.Count == 0
                ? null
                : [.. clients.Parts.Select(part => new LatencyPart(part.Name, part.Latency.Summary, part.Latency.Histogram))],
            Distributions = clients.Distributions.Count == 0 ? null : [.. clients.Distributions.Select(found => DistributionOf(found, seconds))],
            Histogram = clients.Latency.Histogram,
            UncorrectedHistogram = clients.Uncorrected?.Histogram,
            Schedule = Schedule(evidence),
            Runtime = plan.Runtime.IsNone
                ? null
                : new RuntimeResult(plan.Runtime.Settings, evidence.Server?.GarbageCollector, clients.GarbageCollector),
            Timeline = clients.Timeline is null && evidence.Server?.Timeline is null
                ? null
                : new TimelineResult(evidence.Server?.Timeline, clients.Timeline),
            Costs = Costs(evidence),
            IdleCosts = clients.Idle is { } idle ? CostsOf(evidence, evidence.Server?.Idle, idle) : null,
            Server = evidence.Server is null && evidence.Fault is null ? ServerKind.PlainEcho : ServerKind.Own,
            Impairment = evidence.Relay is null ? null : new ImpairmentResult(ImpairmentOptions.Of(plan.Impairment), evidence.Relay.Counts),
            Fitness = (hosts?.Server?.Fitness ?? evidence.Fitness) with { StealShare = clients.Machine?.StealShare, OtherShare = OtherShare(evidence) },
            Valid = false,
            InvalidReasons = [],
            Aborted = clients.Aborted,
            Environment = hosts?.Server?.Environment ?? EnvironmentOf(plan, clients),
            Command = PlanArguments.CommandOf(plan, evidence.Library, evidence.Workload),
        };
        LoadOutcome outcome = OutcomeOf(result);
        IReadOnlyList<string> faults =
        [
            .. Sentence(evidence.Fault),
            .. Validity.FindFaults(plan, result),
            .. StreamFacts.FindFaults(plan, result),
            .. hosts is null ? [] : HostFigures.FindFaults(hosts, evidence.Fault),
            .. evidence.Workload.FindFaults(plan, outcome),
        ];
        double? gap = CountGap.Of(plan, evidence.Workload, result);
        IReadOnlyList<string> disturbances = [.. Validity.FindDisturbances(plan, result), .. Sentence(CountGap.FaultOf(gap, plan, result))];
        return result with
        {
            Valid = faults.Count + disturbances.Count == 0,
            InvalidReasons = [.. faults, .. disturbances],
            Disturbed = faults.Count == 0 && disturbances.Count > 0,
            Remarks =
            [
                .. result.Remarks,
                .. Sentence(CountGap.RemarkOf(gap, plan, result)),
                .. hosts is null ? [] : HostFigures.FindRemarks(hosts, result.ClientLibrary is null || result.ClientLibrary == result.Library),
                .. ClientLimit.FindRemarks(plan, result),
                .. evidence.Workload.FindRemarks(plan, outcome),
            ],
        };
    }

    private static LoadOutcome OutcomeOf(RunResult result) => new()
    {
        Server = result.Server == ServerKind.Own
            ? $"the server of {result.Library}"
            : string.Create(CultureInfo.InvariantCulture, $"the server at {result.Address}, port {result.Port},"),
        Aborted = result.Aborted,
        Repetitions = result.Iterations.Count,
        Answered = result.Messages.ClientReceived,
        Lost = result.Lost,
        Handshakes = result.Tls?.Clients ?? [],
        TimesRecorded = (result.Distributions ?? []).ToDictionary(distribution => distribution.Name, distribution => distribution.Count),
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

    private static IEnumerable<string> Remarks(RunMeasurements evidence) => (evidence.Server?.Remarks ?? [])
        .Concat(Sentence(evidence.ServerRemark))
        .Concat(evidence.Clients.Remarks)
        .Concat(evidence.Relay?.Remarks ?? [])
        .Concat(IdleRemark("server", evidence.Server?.Idle))
        .Concat(IdleRemark("clients", evidence.Clients.Idle))
        .Distinct();

    // A library with timers of its own works while its load is paused. That is time of the cases that take turns with it.
    // What the runtime compiles in a pause is not the library's.
    private static IEnumerable<string> IdleRemark(string side, ProcessCost? idle) =>
        idle is not null && PerSecond(idle.CpuSeconds - (idle.CompilationSeconds ?? 0), idle.Seconds) > MostIdleCores
        ?
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"The {side} used more than {MostIdleCores * 100:0} % of a core while the load was paused: the library is not idle between slices."),
        ]
        : [];

    // A run that was aborted at the start of its measurement has measured no time at all.
    private static double PerSecond(double amount, double seconds) => seconds > 0 ? amount / seconds : 0;

    private static TimeDistribution DistributionOf(LatencyPartReport found, double seconds)
    {
        long count = found.Latency.Histogram is { } histogram ? HistogramCodec.Decode(histogram).Count : 0;
        return new TimeDistribution(found.Name, count, PerSecond(count, seconds), found.Latency.Summary, found.Latency.Histogram);
    }

    private static LoadGeneratorShare ShareOf(ClientReport driver) =>
        new(driver.Clients, driver.Measured.ClientReceived, driver.DurationSeconds, driver.Cost);

    private static MessageTotals Messages(RunMeasurements evidence)
    {
        MessageCounters measured = evidence.Clients.Measured;

        // If both sides are on one thread, the clients' counters also hold the server's messages.
        return new MessageTotals(
            measured.ClientSent,
            measured.ServerReceived + evidence.Server?.Received,
            measured.ServerSent + evidence.Server?.Sent,
            measured.ClientReceived)
        {
            // The interval of a slice may have a pause at its end, in which the server is suspended.
            ServerSeconds = evidence.Server is { Slices.Count: <= 1, Cost.Seconds: var seconds } ? seconds : null,
        };
    }

    private static PinningResult? Pinning(RunMeasurements evidence) =>
        (evidence.Server?.Pinning, evidence.Clients.Pinning) is (null, null) ? null : new PinningResult(evidence.Server?.Pinning, evidence.Clients.Pinning);

    private static RunTotals Totals(ClientReport clients)
    {
        MessageCounters whole = clients.Whole;
        long lostAtEnd = LostAtEnd(clients);
        return new RunTotals(
            clients.LatencyKind == LatencyKind.OneWay ? whole.ClientReceived + whole.Lost : whole.ClientSent,
            whole.ClientReceived,
            whole.Lost + lostAtEnd,
            Unanswered(clients) - lostAtEnd,
            whole.Duplicated,
            whole.Reordered,
            whole.Corrupted);
    }

    // A message that is still in flight when the drain's deadline has passed is lost. Only a run that was cut short cannot determine this.
    private static long LostAtEnd(ClientReport clients) => clients.Aborted ? 0 : Unanswered(clients);

    // In a one-way test, no message of a client is answered.
    private static long Unanswered(ClientReport clients) => clients.LatencyKind == LatencyKind.OneWay
        ? 0
        : clients.Whole.ClientSent - clients.Whole.ClientReceived - clients.Whole.Lost;

    private static RunCosts Costs(RunMeasurements evidence) => CostsOf(evidence, evidence.Server?.Cost, evidence.Clients.Cost);

    private static RunCosts CostsOf(RunMeasurements evidence, ProcessCost? server, ProcessCost clients) =>
        evidence.OneProcess ? new RunCosts(null, null, clients)
        : evidence.Server is { Received: null } ? new RunCosts(server! with { Messages = clients.Messages }, clients, null)
        : new RunCosts(server, clients, null);

    // The time of a relay is not reported. With a relay, the share of others is therefore unknown.
    private static double? OtherShare(RunMeasurements evidence)
    {
        if (evidence.Clients.Machine is not { } machine || evidence.Relay is not null || !evidence.Plan.Hosts.IsNone)
        {
            return null;
        }

        // Each side has its own watch: a server whose pool is full reads its watch later than the clients do.
        double cores = BusyCores(evidence.Clients.Cost) + (evidence.OneProcess ? 0 : BusyCores(evidence.Server?.Cost));
        return Math.Max(0, machine.BusyShare - (cores / machine.Cores));
    }

    private static double BusyCores(ProcessCost? cost) => cost is null ? 0 : PerSecond(cost.CpuSeconds, cost.Seconds);

    // The sender keeps the schedule.
    private static ScheduleResult? Schedule(RunMeasurements evidence)
    {
        MessageCounters measured = evidence.Clients.Measured;
        bool isOneWay = evidence.Clients.LatencyKind == LatencyKind.OneWay;
        long sent = isOneWay ? measured.ServerSent + (evidence.Server?.Sent ?? 0) : measured.ClientSent;
        long late = measured.SentLate + (isOneWay ? evidence.Server?.SentLate ?? 0 : 0);
        return evidence.Plan.Rate is not { } rate
            ? null
            : new ScheduleResult(
                rate,
                PerSecond(sent * CopiesOf(evidence.Plan), evidence.Clients.DurationSeconds),
                SendSchedule.LateBound.TotalMilliseconds,
                sent == 0 ? 0 : (double)late / sent);
    }

    // One message to a group counts as one for each client.
    private static int CopiesOf(RunPlan plan) => MulticastGroup.Of(plan) is null ? 1 : plan.Clients;

    private static SortedDictionary<string, long> AllErrors(RunMeasurements evidence)
    {
        var errors = new SortedDictionary<string, long>(evidence.Clients.Errors, StringComparer.Ordinal);
        foreach ((string name, long count) in evidence.Server?.Errors ?? [])
        {
            errors[name] = errors.GetValueOrDefault(name) + count;
        }

        return errors;
    }
}
