using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Statistics;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of the clients' side, as plain data that can be sent between processes.</summary>
internal sealed record ClientReport
{
    public required string LibraryVersion { get; init; }

    /// <summary>The number of clients.</summary>
    public required int Clients { get; init; }

    /// <summary>The time in seconds from the creation of the first client to the connection of the last.</summary>
    public required double ConnectSeconds { get; init; }

    /// <summary>The number of threads that served the clients; null if the library has threads of its own.</summary>
    public int? Threads { get; init; }

    /// <summary>The cores that this side was bound to; null if it was not bound.</summary>
    public SidePinning? Pinning { get; init; }

    /// <summary>The deviations of the adapter from the plan.</summary>
    public IReadOnlyList<string> Remarks { get; init; } = [];

    public required DateTimeOffset StartedAt { get; init; }

    public required double WarmUpSeconds { get; init; }

    public required bool WarmUpSteady { get; init; }

    public required double DurationSeconds { get; init; }

    /// <summary>The messages counted within the measurement.</summary>
    public required MessageCounters Measured { get; init; }

    /// <summary>The messages counted from the start of the measurement to the end of the drain.</summary>
    public required MessageCounters AfterStart { get; init; }

    /// <summary>The messages counted from the first message to the end of the drain.</summary>
    public required MessageCounters Whole { get; init; }

    public required SortedDictionary<string, long> Errors { get; init; }

    /// <summary>The connections that were lost and opened again; null if clients do not connect again.</summary>
    public ReconnectionReport? Reconnections { get; init; }

    /// <summary>TLS handshakes that succeeded; empty if there was no TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    public required IReadOnlyList<IterationResult> Iterations { get; init; }

    public required bool Aborted { get; init; }

    public required ProcessCost Cost { get; init; }

    /// <summary>The cost of the pauses between the slices of the measurement; null if there were none.</summary>
    public ProcessCost? Idle { get; init; }

    /// <summary>The kind of latency that was counted and timed.</summary>
    public LatencyKind LatencyKind { get; init; }

    /// <summary>The messages that each client received within the measurement; null if the test does not report it.</summary>
    public IReadOnlyList<long>? ReceivedByClient { get; init; }

    /// <summary>The workload's own figures.</summary>
    public IReadOnlyList<WorkloadFigure> Figures { get; init; } = [];

    /// <summary>The parts of the latencies, in their order; empty if there are none.</summary>
    public IReadOnlyList<LatencyPartReport> Parts { get; init; } = [];

    /// <summary>The distributions of the workload's other times; empty if there are none.</summary>
    public IReadOnlyList<LatencyPartReport> Distributions { get; init; } = [];

    /// <summary>Latencies of the measurement.</summary>
    public required LatencyReport Latency { get; init; }

    /// <summary>The same latencies as a waiting client would have seen them; null in a closed loop.</summary>
    public LatencyReport? Uncorrected { get; init; }

    /// <summary>The use of the clients' machine meanwhile; null if the system does not report it.</summary>
    public MachineUse? Machine { get; init; }

    /// <summary>The garbage collector of the process; null if it was not reported.</summary>
    public string? GarbageCollector { get; init; }

    /// <summary>The compilation of code in the process; null if it was not reported.</summary>
    public string? Jit { get; init; }

    /// <summary>The course of the measurement; null if nothing was measured.</summary>
    public SideTimeline? Timeline { get; init; }

    /// <summary>
    /// Merges the figures of several drivers: counters, errors and distributions add up, and the measurement is as long as the longest. The machine's
    /// use is that of the first driver.
    /// </summary>
    /// <param name="drivers">The reports; one or more, of the same plan.</param>
    public static ClientReport Merge(IReadOnlyList<ClientReport> drivers) => drivers.Count == 1 ? drivers[0] : drivers[0] with
    {
        Clients = drivers.Sum(driver => driver.Clients),
        ConnectSeconds = drivers.Max(driver => driver.ConnectSeconds),
        Threads = drivers[0].Threads is null ? null : drivers.Sum(driver => driver.Threads),
        Remarks = [.. drivers.SelectMany(driver => driver.Remarks).Distinct()],
        StartedAt = drivers.Min(driver => driver.StartedAt),
        WarmUpSeconds = drivers.Max(driver => driver.WarmUpSeconds),
        WarmUpSteady = drivers.All(driver => driver.WarmUpSteady),
        DurationSeconds = drivers.Max(driver => driver.DurationSeconds),
        Measured = Sum(drivers.Select(driver => driver.Measured)),
        AfterStart = Sum(drivers.Select(driver => driver.AfterStart)),
        Whole = Sum(drivers.Select(driver => driver.Whole)),
        Errors = SumByName(drivers.Select(driver => driver.Errors)),
        Reconnections = drivers[0].Reconnections is null
            ? null
            : ReconnectionReport.Merge([.. drivers.Select(driver => driver.Reconnections).OfType<ReconnectionReport>()]),
        Handshakes =
        [
            .. drivers.SelectMany(driver => driver.Handshakes).GroupBy(made => made with { Count = 0 })
                .Select(alike => alike.Key with { Count = alike.Sum(made => made.Count) }),
        ],
        Iterations =
        [
            .. Enumerable.Range(0, drivers.Max(driver => driver.Iterations.Count))
                .Select(part => drivers.Where(driver => part < driver.Iterations.Count).Select(driver => driver.Iterations[part]))
                .Select(parts => new IterationResult(parts.Max(part => part.Seconds), parts.Sum(part => part.Messages))),
        ],
        Aborted = drivers.Any(driver => driver.Aborted),
        Cost = ProcessCost.Sum([.. drivers.Select(driver => driver.Cost)]),
        Idle = drivers[0].Idle is null ? null : ProcessCost.Sum([.. drivers.Select(driver => driver.Idle).OfType<ProcessCost>()]),
        ReceivedByClient = drivers[0].ReceivedByClient is null ? null : [.. drivers.SelectMany(driver => driver.ReceivedByClient ?? [])],
        Figures = WorkloadFigure.MergeAll(drivers.SelectMany(driver => driver.Figures)),
        Parts = MergeAll([.. drivers.Select(driver => driver.Parts)]),
        Distributions = MergeAll([.. drivers.Select(driver => driver.Distributions)]),
        Timeline = drivers.All(driver => driver.Timeline is not null)
            ? TimelineSampler.Merge([.. drivers.Select(driver => driver.Timeline).OfType<SideTimeline>()])
            : null,
        Latency = LatencyReport.Merge([.. drivers.Select(driver => driver.Latency)]),
        Uncorrected = drivers[0].Uncorrected is null ? null : LatencyReport.Merge([.. drivers.Select(driver => driver.Uncorrected).OfType<LatencyReport>()]),
    };

    /// <summary>Adds up counts by name.</summary>
    public static SortedDictionary<string, long> SumByName(IEnumerable<IReadOnlyDictionary<string, long>> counts) => new(
        counts.SelectMany(count => count).GroupBy(count => count.Key).ToDictionary(named => named.Key, named => named.Sum(count => count.Value)),
        StringComparer.Ordinal);

    // Drivers of the same plan have the same names, in the same order.
    private static IReadOnlyList<LatencyPartReport> MergeAll(IReadOnlyList<LatencyPartReport>[] drivers) =>
    [
        .. drivers[0].Select((part, index) => part with { Latency = LatencyReport.Merge([.. drivers.Select(driver => driver[index].Latency)]) }),
    ];

    private static MessageCounters Sum(IEnumerable<MessageCounters> counters)
    {
        var total = default(MessageCounters);
        foreach (MessageCounters added in counters)
        {
            total.Add(in added);
        }

        return total;
    }
}

/// <summary>A part of the latencies, or another distribution of the workload.</summary>
/// <param name="Name">The name of the part.</param>
/// <param name="Latency">The distribution.</param>
internal sealed record LatencyPartReport(string Name, LatencyReport Latency);
