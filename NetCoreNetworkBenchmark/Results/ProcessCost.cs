namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// The cost of one process during the measurement, as counted by the process itself. It answers the objection "the clients are what you
/// measure". Values that a system does not report are null.
/// </summary>
public sealed record ProcessCost
{
    /// <summary>Messages that the process received meanwhile. At the clients these are round trips.</summary>
    public required long Messages { get; init; }

    /// <summary>Seconds of the wall clock between the two readings.</summary>
    public required double Seconds { get; init; }

    /// <summary>CPU seconds outside the kernel, of all threads (getrusage, ru_utime).</summary>
    public required double UserCpuSeconds { get; init; }

    /// <summary>CPU seconds in the kernel, of all threads (getrusage, ru_stime).</summary>
    public required double SystemCpuSeconds { get; init; }

    /// <summary>Managed bytes allocated by all threads.</summary>
    public required long AllocatedBytes { get; init; }

    /// <summary>Collections by generation, from 0; each also counts in the lower ones.</summary>
    public required IReadOnlyList<int> Collections { get; init; }

    /// <summary>The time in seconds for which the garbage collector stopped the threads.</summary>
    public required double PauseSeconds { get; init; }

    /// <summary>The time in seconds for which threads compiled code (JIT). A process that was warm at the start has little of it.</summary>
    public double? CompilationSeconds { get; init; }

    /// <summary>The number of times that a thread waited for a lock of .NET.</summary>
    public long? LockContentions { get; init; }

    /// <summary>The most threads at any one time, counted once a second.</summary>
    public required int PeakThreads { get; init; }

    /// <summary>The largest resident memory of the process so far, in bytes.</summary>
    public long? PeakResidentBytes { get; init; }

    /// <summary>The number of times that a thread gave up its core by itself, to wait (ru_nvcsw).</summary>
    public long? VoluntaryContextSwitches { get; init; }

    /// <summary>The number of times that a thread was made to give up its core to another (ru_nivcsw).</summary>
    public long? InvoluntaryContextSwitches { get; init; }

    /// <summary>
    /// The time in seconds in which the process did not run at all: it was stopped or frozen, or the machine was suspended. Null if it was not watched.
    /// </summary>
    public double? StoppedSeconds { get; init; }

    /// <summary>
    /// The part of the CPU seconds that was used by threads that do nothing but serve clients; null if there are none, or if the system does not report it.
    /// </summary>
    public double? ClientThreadsCpuSeconds { get; init; }

    /// <summary>
    /// The periods of the CPU quota of the process' control group in which the group ran (Linux: nr_periods in cpu.stat); null if there is no quota.
    /// </summary>
    public long? QuotaPeriods { get; init; }

    /// <summary>The number of these periods in which the quota was used up, so that the group stood still until the next (nr_throttled).</summary>
    public long? ThrottledPeriods { get; init; }

    /// <summary>The share (0 to 1) of the periods in which the quota was used up; null if there is no quota.</summary>
    public double? ThrottledShare => QuotaPeriods is { } periods && ThrottledPeriods is { } throttled ? (double)throttled / Math.Max(1, periods) : null;

    /// <summary>Adds the cost of several processes that worked at the same time.</summary>
    /// <param name="costs">The costs; one or more.</param>
    /// <returns>The sums, and the longest times.</returns>
    public static ProcessCost Sum(IReadOnlyList<ProcessCost> costs) => new()
    {
        Messages = costs.Sum(cost => cost.Messages),
        Seconds = costs.Max(cost => cost.Seconds),
        UserCpuSeconds = costs.Sum(cost => cost.UserCpuSeconds),
        SystemCpuSeconds = costs.Sum(cost => cost.SystemCpuSeconds),
        AllocatedBytes = costs.Sum(cost => cost.AllocatedBytes),
        Collections = [.. costs[0].Collections.Select((_, generation) => costs.Sum(cost => cost.Collections[generation]))],
        PauseSeconds = costs.Sum(cost => cost.PauseSeconds),
        CompilationSeconds = costs.All(cost => cost.CompilationSeconds is not null) ? costs.Sum(cost => cost.CompilationSeconds) : null,
        LockContentions = SumOf(costs, cost => cost.LockContentions),
        PeakThreads = costs.Sum(cost => cost.PeakThreads),
        PeakResidentBytes = SumOf(costs, cost => cost.PeakResidentBytes),
        VoluntaryContextSwitches = SumOf(costs, cost => cost.VoluntaryContextSwitches),
        InvoluntaryContextSwitches = SumOf(costs, cost => cost.InvoluntaryContextSwitches),
        StoppedSeconds = costs.Max(cost => cost.StoppedSeconds),
        ClientThreadsCpuSeconds = costs.All(cost => cost.ClientThreadsCpuSeconds is not null) ? costs.Sum(cost => cost.ClientThreadsCpuSeconds) : null,
        QuotaPeriods = SumOfSome(costs, cost => cost.QuotaPeriods),
        ThrottledPeriods = SumOfSome(costs, cost => cost.ThrottledPeriods),
    };

    /// <summary>CPU seconds of all threads, in the kernel and outside.</summary>
    public double CpuSeconds => UserCpuSeconds + SystemCpuSeconds;

    /// <summary>CPU time of one message in microseconds; null if no message was counted.</summary>
    public double? CpuMicrosecondsPerMessage => Messages == 0 ? null : CpuSeconds * 1e6 / Messages;

    /// <summary>Messages for each second of CPU time; 0 if no CPU time was counted.</summary>
    public double MessagesPerCpuSecond => CpuSeconds <= 0 ? 0 : Messages / CpuSeconds;

    /// <summary>Managed bytes allocated for each message; null if no message was counted.</summary>
    public double? AllocatedBytesPerMessage => Messages == 0 ? null : (double)AllocatedBytes / Messages;

    // Null if a process did not report the value.
    private static long? SumOf(IReadOnlyList<ProcessCost> costs, Func<ProcessCost, long?> value) =>
        costs.All(cost => value(cost) is not null) ? costs.Sum(value) : null;

    // Null if no process has the value.
    private static long? SumOfSome(IReadOnlyList<ProcessCost> costs, Func<ProcessCost, long?> value) =>
        costs.Any(cost => value(cost) is not null) ? costs.Sum(value) : null;
}

/// <summary>The processes of a run: server and clients in one each, or both in one.</summary>
/// <param name="Server">The cost of the server; null if it was not alone in a process, or did not report it.</param>
/// <param name="Clients">The cost of the clients; null if they were not alone in a process.</param>
/// <param name="Together">The cost of both sides if they shared one process; otherwise, null.</param>
public sealed record RunCosts(ProcessCost? Server, ProcessCost? Clients, ProcessCost? Together);
