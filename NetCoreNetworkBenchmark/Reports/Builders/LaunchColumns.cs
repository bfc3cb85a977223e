using System.Text.Json;
using NetCoreNetworkBenchmark.Reports.Documents;
using static NetCoreNetworkBenchmark.Reports.Builders.Format;

namespace NetCoreNetworkBenchmark.Reports.Builders;

/// <summary>The same for all kinds of results, so that files can be joined. Names stay when the JSON changes, as those of its schema 2 did.</summary>
internal static class LaunchColumns
{
    private const int Generations = 3;

    public static IReadOnlyList<Column<LaunchRow>> All { get; } =
    [
        new("kind", row => ResultFile.NameOf(row.Source.Kind)),
        new("benchmark", row => row.Benchmark?.Title),
        new("part", row => row.Benchmark?.Part),
        new("case", row => row.Name),
        new("caseValid", row => row.Case?.Valid),
        new("launch", row => row.Number),
        new("id", row => row.Id),
        new("startedAt", row => row.Run?.Clients.StartedAt ?? row.Launch?.StartedAt),
        new("valid", row => row.Run?.Valid ?? row.Launch?.IsValid),
        new("invalidReasons", row => row.Run is { Valid: false } run ? string.Join(' ', run.InvalidReasons) : row.Launch?.Failure),
        new("disturbed", row => row.Run?.Verdict.Disturbed),
        new("aborted", row => row.Run?.Clients.Aborted),
        new("holds", row => row.Step?.Holds ?? row.KeptPace),
        new("reason", row => row.Step?.Reason ?? row.PaceReason),
        new("library", row => row.Plan?.Library),
        new("libraryVersion", row => row.Load?.LibraryVersion ?? (row.Source as LibraryResult)?.LibraryVersion),
        new("profile", row => row.Plan?.Profile.ToString()),
        new("variant", row => row.Plan?.Variant),
        new("test", row => row.Plan?.Test),
        new("protocol", row => row.Plan?.Protocol.ToString()),
        new("transmission", row => row.Plan?.Transmission.ToString()),
        new("framing", row => row.Plan is { } plan && plan.Protocol.IsStream() ? plan.Framing.ToString() : null),
        new("clientLibrary", row => row.Load?.ClientLibrary ?? (row.Source as LibraryResult)?.ClientLibrary),
        new("clients", row => row.IsOverClients ? (int?)row.Step?.Value : row.Plan?.Clients),
        new("parallelMessages", row => row.Plan?.ParallelMessages),
        new("messageSize", row => row.Plan?.MessageSize),
        new("smallestMessage", row => row.Plan?.SmallestMessage),
        new("messageLoad", row => row.Plan?.MessageLoad.ToString()),
        new("payload", row => row.Plan?.Payload?.Sha256),
        new("thinkMilliseconds", row => row.Plan?.Think.TotalMilliseconds),
        new("arrivals", row => row.Plan is { Rate: not null } plan ? plan.Arrivals.ToString() : null),
        new("serverUpdateRate", row => row.Plan?.ServerUpdateRate),
        new("clientUpdateRate", row => row.Plan?.ClientUpdateRate),
        new(
            "schedule.requestedPerSecond",
            row => row is { Source: SweepResult, IsOverClients: false } ? row.Step?.Value : row.Part?.Step?.Rate ?? row.Plan?.Rate),
        new("settings", row => row.Plan is { } plan ? Pairs(plan.Settings) : null),
        new("testOptions", row => row.Plan is { } plan ? Pairs(plan.WorkloadOptions) : null),
        new("serverThreads", row => row.Load?.Server?.Threads),
        new("clientThreads", row => row.Load?.Clients.Threads),
        new("impairment.requested", row => row.Plan is { } plan ? Pairs(ImpairmentOptions.Arguments(plan.Impairment)) : null),
        new("connectSeconds", row => row.Run?.Clients.ConnectSeconds),
        new("warmUpSeconds", row => row.Run?.Clients.WarmUpSeconds),
        new("durationSeconds", row => row.Part?.Seconds ?? row.Run?.DurationSeconds),
        new("messages.clientSent", row => row.Part?.Step?.Sent ?? row.Run?.Messages.ClientSent),
        new("messages.serverReceived", row => row.Run?.Messages.ServerReceived),
        new("messages.serverSent", row => row.Run?.Messages.ServerSent),
        new("messages.clientReceived", row => row.Part?.Step?.Answered ?? row.Run?.Messages.ClientReceived),
        new("messagesPerSecond", row => row.Part?.Step?.AnsweredPerSecond(row.Part) ?? row.Run?.MessagesPerSecond ?? row.Launch?.MessagesPerSecond),
        new("megabytesPerSecond", row => row.Run?.MebibytesPerSecond),
        new("schedule.sentPerSecond", row => row.Part?.Step?.SentPerSecond(row.Part) ?? row.Run?.Schedule?.SentPerSecond),
        new("schedule.lateShare", row => row.Part?.Step?.LateShare ?? row.Run?.Schedule?.LateShare),
        new("lost", row => row.Part?.Step?.Lost ?? row.Run?.Lost),
        new("duplicated", row => row.Run?.Duplicated),
        new("reordered", row => row.Run?.Reordered),
        new("corrupted", row => row.Run?.Corrupted),
        new("errors", row => row.Run?.Errors),
        new("latencyKind", row => row.Load is { } run ? JsonNamingPolicy.CamelCase.ConvertName(run.Clients.LatencyKind.ToString()) : null),
        new("latencyMicroseconds.min", row => row.Latency?.Min),
        new("latencyMicroseconds.mean", row => row.Latency?.Mean),
        new("latencyMicroseconds.p50", row => row.Latency?.P50 ?? row.Launch?.P50Microseconds),
        new("latencyMicroseconds.p90", row => row.Latency?.P90),
        new("latencyMicroseconds.p95", row => row.Latency?.P95),
        new("latencyMicroseconds.p99", row => row.Latency?.P99 ?? row.Launch?.P99Microseconds),
        new("latencyMicroseconds.p999", row => row.Latency?.P999),
        new("latencyMicroseconds.p9999", row => row.Latency?.P9999),
        new("latencyMicroseconds.max", row => row.Latency?.Max),
        new("ageMicroseconds.p50", row => row.Run?.Ages?.Microseconds?.P50),
        new("ageMicroseconds.p99", row => row.Run?.Ages?.Microseconds?.P99),
        new("ageMicroseconds.p999", row => row.Run?.Ages?.Microseconds?.P999),
        new("ageMicroseconds.max", row => row.Run?.Ages?.Microseconds?.Max),
        new("ticks.lateShare", row => row.Run?.Ticks?.LateShare),
        new("ticks.cpuMicroseconds", row => row.Run?.Ticks?.CpuMicroseconds),
        new("ticks.busyCoresPerClient", row => row.Run?.Ticks?.BusyCoresPerClient),
        new("ticks.allocatedBytes", row => row.Run?.Ticks?.AllocatedBytes),
        new("ticks.collections", row => row.Run?.Ticks?.Collections),
        new("ticks.pauseMicroseconds", row => row.Run?.Ticks?.PauseMicroseconds),
        .. Costs("server", row => row.Run?.Costs.Server, row => row.Launch?.ServerCpuMicroseconds),
        .. Costs("clients", row => row.Run?.Costs.Clients),
        .. Costs("combined", row => row.Run?.Costs.Combined),
        new("baseline", row => row.Benchmark?.Baseline),
        new("baseline.messagesPerSecond", row => row.Launch?.Baseline?.MessagesPerSecond),
        new("baseline.serverCpuMicroseconds", row => row.Launch?.Baseline?.ServerCpuMicroseconds),
        new("ratioToBaseline", row => row.Launch?.Baseline is { MessagesPerSecond: > 0 and var rate } ? row.Launch.MessagesPerSecond / rate : null),
        new("control", row => row.Launch?.Control),
        new("figures.answered", row => row.Source is CapacityResult ? row.Run?.Messages.ClientReceived : null),
        new("figures.serverResidentBytesPerClient", row => row.Run?.ServerMemory?.ResidentBytesPerClient),
        new("figures.serverManagedBytesPerClient", row => row.Run?.ServerMemory?.ManagedBytesPerClient),
        new("harnessVersion", row => row.Source.HarnessVersion),
        new("environment.cpu", row => row.Environment.Cpu),
        new("environment.cores", row => row.Environment.Cores),
        new("environment.os", row => row.Environment.Os),
        new("environment.kernel", row => row.Environment.Kernel),
        new("environment.framework", row => row.Environment.Framework),
        new("environment.garbageCollector", row => row.Environment.GarbageCollector),
    ];

    private static Column<LaunchRow>[] Costs(string side, Func<LaunchRow, ProcessCost?> cost, Func<LaunchRow, double?>? kept = null) =>
    [
        new($"costs.{side}.cpuMicrosecondsPerMessage", row => cost(row)?.CpuMicrosecondsPerMessage ?? kept?.Invoke(row)),
        new($"costs.{side}.busyCores", row => cost(row)?.BusyCores),
        new($"costs.{side}.userCpuMicrosecondsPerMessage", row => PerMessage(cost(row), cost(row)?.UserCpuSeconds)),
        new($"costs.{side}.systemCpuMicrosecondsPerMessage", row => PerMessage(cost(row), cost(row)?.SystemCpuSeconds)),
        new($"costs.{side}.allocatedBytesPerMessage", row => cost(row)?.AllocatedBytesPerMessage),
        .. Enumerable.Range(0, Generations).Select(generation => new Column<LaunchRow>(
            $"costs.{side}.collections.{generation}", row => cost(row)?.Collections.Cast<int?>().ElementAtOrDefault(generation))),
        new($"costs.{side}.pauseSeconds", row => cost(row)?.PauseSeconds),
        new($"costs.{side}.peakResidentBytes", row => cost(row)?.PeakResidentBytes),
    ];

    private static double? PerMessage(ProcessCost? cost, double? seconds) => cost is { Messages: > 0 } ? seconds * MicrosecondsPerSecond / cost.Messages : null;
}

/// <param name="Number">From 1: of the launch, or of the step of a search or of a rate.</param>
/// <param name="Load">A run with the same plan. It names the load of a launch that failed, or of which only the figures are kept.</param>
internal sealed record LaunchRow(
    Result Source, EnvironmentInfo Environment, int Number, string Name, RunResult? Run, RunResult? Load, BenchmarkResult? Benchmark = null,
    CaseResult? Case = null, LaunchResult? Launch = null, SearchStep? Step = null, IterationResult? Part = null)
{
    public string? Id => (Run?.Id ?? Launch?.Id)?.ToString();

    public RunPlan? Plan => Load?.Plan ?? (Source as LibraryResult)?.Plan;

    public LatencySummary? Latency => Part is { Step: { } step } ? step.Latency.Microseconds : Run?.LatencyMicroseconds;

    public bool IsOverClients => Source is CapacityResult or SweepResult { Variable: SweepVariable.Clients };

    /// <summary>Null if the step of a rate kept pace, and for other rows.</summary>
    public string? PaceReason => Part is null ? null : RateKnee.ReasonOf(Run!.Clients.Iterations, Number - 1);

    public bool? KeptPace => Part is null ? null : PaceReason is null;

    public static IEnumerable<LaunchRow> From(Result source) => source switch
    {
        RunResult { Knee: not null } run =>
            from part in run.Clients.Iterations.Index()
            select new LaunchRow(run, run.Environment, part.Index + 1, run.Name, run, run, Part: part.Item),
        RunResult run => [new LaunchRow(run, run.Environment, 1, run.Name, run, run)],
        SuiteResult suite =>
            from benchmark in suite.Benchmarks
            from result in benchmark.Cases
            let median = result.MedianLaunch()
            from launch in result.Launches
            select new LaunchRow(
                suite, suite.Environment, launch.Number, result.Library, launch.Result, launch.Result ?? median, benchmark, result, launch),
        SearchResult search =>
            from step in search.Steps.Index()
            let load = step.Item.Result ?? search.Steps.Select(known => known.Result).OfType<RunResult>().FirstOrDefault()
            select new LaunchRow(search, search.Environment, step.Index + 1, search.Library, step.Item.Result, load, Step: step.Item),
        SweepsResult sweeps => sweeps.Sweeps.SelectMany(From),
        _ => [],
    };
}
