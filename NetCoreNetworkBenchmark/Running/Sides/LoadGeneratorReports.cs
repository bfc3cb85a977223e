namespace NetCoreNetworkBenchmark.Running.Sides;

internal static class LoadGeneratorReports
{
    private const int MaxNamed = 10;

    /// <summary>The use of the machine is that of the first load generator.</summary>
    public static ClientReport Merge(IReadOnlyList<ClientReport> generators) => generators.Count == 1 ? generators[0] : generators[0] with
    {
        Clients = generators.Sum(generator => generator.Clients),
        ConnectSeconds = generators.Max(generator => generator.ConnectSeconds),
        Threads = generators[0].Threads is null ? null : generators.Sum(generator => generator.Threads),
        Remarks = [.. generators.SelectMany(generator => generator.Remarks).Distinct()],
        StartedAt = generators.Min(generator => generator.StartedAt),
        WarmUpSeconds = generators.Max(generator => generator.WarmUpSeconds),
        WarmUpSteady = generators.All(generator => generator.WarmUpSteady),
        DurationSeconds = generators.Max(generator => generator.DurationSeconds),
        Measured = Sum(generators.Select(generator => generator.Measured)),
        AfterStart = Sum(generators.Select(generator => generator.AfterStart)),
        Whole = Sum(generators.Select(generator => generator.Whole)),
        Errors = SideReport.SumByName(generators.Select(generator => generator.Errors)),
        Disconnects = SideReport.SumByName(generators.Select(generator => generator.Disconnects)) is { Count: > 0 } ended ? ended : null,
        Reconnections = MergeAll(generators, generator => generator.Reconnections, Sum),
        Handshakes =
        [
            .. generators.SelectMany(generator => generator.Handshakes).GroupBy(handshakes => handshakes with { Count = 0 })
                .Select(alike => alike.Key with { Count = alike.Sum(handshakes => handshakes.Count) }),
        ],
        Iterations =
        [
            .. Enumerable.Range(0, generators.Max(generator => generator.Iterations.Count))
                .Select(part => generators.Where(generator => part < generator.Iterations.Count).Select(generator => generator.Iterations[part]))
                .Select(parts => new IterationResult(parts.Max(part => part.Seconds), parts.Sum(part => part.Messages))
                {
                    Step = RateStep.Sum([.. parts.Select(part => part.Step).OfType<RateStep>()]),
                }),
        ],
        Aborted = generators.Any(generator => generator.Aborted),
        Cost = Sum([.. generators.Select(generator => generator.Cost)]),
        Idle = MergeAll(generators, generator => generator.Idle, Sum),
        ReceivedByClient = MergeAll(
            generators, generator => generator.ReceivedByClient, received => (IReadOnlyList<long>)[.. received.SelectMany(each => each)]),
        Figures = WorkloadFigure.MergeAll(generators.SelectMany(generator => generator.Figures)),
        Parts = MergeAll([.. generators.Select(generator => generator.Parts)]),
        Distributions = MergeAll([.. generators.Select(generator => generator.Distributions)]),
        Timeline = MergeAll(generators, generator => generator.Timeline, Merge),
        Latency = generators.All(HasLatency) ? LatencyReport.Merge([.. generators.Select(generator => generator.Latency)]) : new LatencyReport(null, null),
        Uncorrected = MergeAll(generators, generator => generator.Uncorrected, LatencyReport.Merge),
    };

    /// <summary>A part that only some of the load generators have is left out.</summary>
    public static SideTimeline Merge(IReadOnlyList<SideTimeline> generators)
    {
        int parts = generators.Min(generator => generator.Seconds.Count);
        T[] Of<T>(Func<SideTimeline, IReadOnlyList<T>> values, Func<IEnumerable<T>, T> together) =>
            [.. Enumerable.Range(0, parts).Select(part => together(generators.Select(generator => values(generator)[part])))];
        return new SideTimeline(
            Seconds: Of(generator => generator.Seconds, values => values.Max()),
            Messages: generators.All(generator => generator.Messages is not null) ? Of(generator => generator.Messages!, values => values.Sum()) : null,
            P99Microseconds: generators.All(generator => generator.P99Microseconds is not null)
                ? Of(generator => generator.P99Microseconds!, values => values.Max())
                : null,
            CpuSeconds: Of(generator => generator.CpuSeconds, values => values.Sum()),
            PauseMilliseconds: Of(generator => generator.PauseMilliseconds, values => values.Max()),
            PoolQueue: Of(generator => generator.PoolQueue, values => values.Max()),
            PoolThreads: Of(generator => generator.PoolThreads, values => values.Max()));
    }

    public static ClientFairness FairnessOf(IReadOnlyList<long> received)
    {
        long[] sorted = [.. received.Order()];
        double median = (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2.0;
        SlowClient[] slow =
        [
            .. received.Select((messages, index) => new SlowClient(index + 1, messages))
                .Where(client => 2 * client.Messages < median)
                .OrderBy(client => client.Messages)
                .ThenBy(client => client.Client),
        ];
        return new ClientFairness(sorted[0], median, sorted[^1], slow.Length, [.. slow.Take(MaxNamed)]);
    }

    // Of one way, the times are known only on the host of the server. Those of some clients are not shown as those of all.
    private static bool HasLatency(ClientReport generator) => generator.Latency.Microseconds is not null || generator.Measured.ClientReceived == 0;

    // Null if a load generator did not report it.
    private static TResult? MergeAll<TResult>(
        IReadOnlyList<ClientReport> generators, Func<ClientReport, TResult?> part, Func<IReadOnlyList<TResult>, TResult> together)
        where TResult : class
    {
        TResult[] parts = [.. generators.Select(part).OfType<TResult>()];
        return parts.Length < generators.Count ? null : together(parts);
    }

    // Load generators of the same plan have the same names, in the same order.
    private static IReadOnlyList<NamedLatency> MergeAll(IReadOnlyList<NamedLatency>[] generators) =>
    [
        .. generators[0].Select((part, index) => part with { Latency = LatencyReport.Merge([.. generators.Select(parts => parts[index].Latency)]) }),
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

    private static ReconnectionReport Sum(IReadOnlyList<ReconnectionReport> reports) => new(
        reports.Sum(report => report.Lost),
        reports.Sum(report => report.Attempts),
        reports.Sum(report => report.Returned),
        LatencyReport.Merge([.. reports.Select(report => report.Gaps)]),
        SideReport.SumByName(reports.Select(report => report.Reasons)));

    // The processes worked at the same time, so their times are not added.
    private static ProcessCost Sum(IReadOnlyList<ProcessCost> costs)
    {
        // Null if a process did not report the value.
        long? OfAll(Func<ProcessCost, long?> value) => costs.All(cost => value(cost) is not null) ? costs.Sum(value) : null;
        double? SecondsOfAll(Func<ProcessCost, double?> value) => costs.All(cost => value(cost) is not null) ? costs.Sum(value) : null;

        // Null if no process has the value.
        long? OfSome(Func<ProcessCost, long?> value) => costs.Any(cost => value(cost) is not null) ? costs.Sum(value) : null;
        return new ProcessCost(
            Messages: costs.Sum(cost => cost.Messages),
            Seconds: costs.Max(cost => cost.Seconds),
            UserCpuSeconds: costs.Sum(cost => cost.UserCpuSeconds),
            SystemCpuSeconds: costs.Sum(cost => cost.SystemCpuSeconds),
            AllocatedBytes: costs.Sum(cost => cost.AllocatedBytes),
            Collections: [.. costs[0].Collections.Select((_, generation) => costs.Sum(cost => cost.Collections[generation]))],
            PauseSeconds: costs.Sum(cost => cost.PauseSeconds),
            CompilationSeconds: SecondsOfAll(cost => cost.CompilationSeconds),
            LockContentions: OfAll(cost => cost.LockContentions),
            PeakThreads: costs.Sum(cost => cost.PeakThreads),
            PeakResidentBytes: OfAll(cost => cost.PeakResidentBytes),
            VoluntaryContextSwitches: OfAll(cost => cost.VoluntaryContextSwitches),
            InvoluntaryContextSwitches: OfAll(cost => cost.InvoluntaryContextSwitches),
            StoppedSeconds: costs.Max(cost => cost.StoppedSeconds),
            ClientThreadsCpuSeconds: SecondsOfAll(cost => cost.ClientThreadsCpuSeconds),
            QuotaPeriods: OfSome(cost => cost.QuotaPeriods),
            ThrottledPeriods: OfSome(cost => cost.ThrottledPeriods));
    }
}
