using NetCoreNetworkBenchmark.Running.Machine;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The coordinator of a run, as the clients see it: in their process, or at the other end of a channel.</summary>
internal interface ICoordinator
{
    /// <summary>Whether other load generators run at the same time, so that each measurement begins when all loads are warm.</summary>
    bool HasOthers { get; }

    void Report(RunProgress progress);

    /// <summary>
    /// Notifies that these clients have entered a phase: a measurement begins or has ended, or the load is paused or resumed. The clients go on when the task
    /// ends.
    /// </summary>
    Task EnterAsync(RunPhase phase);

    /// <summary>Waits until all load generators have done the same step and the server has been notified of it. The load goes on meanwhile.</summary>
    Task StepAsync(CancellationToken cancellationToken);
}

internal sealed record HostReport(string Name, HostFacts Facts, TimeSpan ClockStep);

/// <param name="SettleSeconds">
/// The time from the resumption to the measurement, in seconds; without a measurement, the time in which nothing new is sent.
/// </param>
/// <param name="MeasureSeconds">The length of the measurement, in seconds; null to pause the load.</param>
/// <param name="StaysInFlight">
/// Whether messages stay in flight afterwards, because the processes of both sides are suspended then. Otherwise, the load is drained.
/// </param>
internal sealed record SliceRequest(double SettleSeconds, double? MeasureSeconds, bool StaysInFlight)
{
    /// <summary>Whether the load runs to warm up, and nothing is measured. For a load that is drained afterwards.</summary>
    public bool IsWarmUp { get; init; }

    /// <summary>Whether the slices so far were a part of the warm-up, so that their figures are forgotten.</summary>
    public bool Restarts { get; init; }
}

/// <param name="SettleSeconds">The time from the resumption of the load to the measurement.</param>
/// <param name="DrainSeconds">The time from the end of the measurement until nothing was in flight; 0 for a load that stays in flight.</param>
/// <param name="CompilationSeconds">The time in which the JIT compiler of the clients' process ran during the measurement, over all its threads.</param>
internal sealed record SliceReport(double Seconds, long Messages, double SettleSeconds, double DrainSeconds, double CompilationSeconds)
{
    /// <summary>Merges the slices of several load generators that ran at the same time: messages add up, and times are the longest.</summary>
    public static SliceReport Merge(IReadOnlyList<SliceReport> generators) => new(
        generators.Max(slice => slice.Seconds),
        generators.Sum(slice => slice.Messages),
        generators.Max(slice => slice.SettleSeconds),
        generators.Max(slice => slice.DrainSeconds),
        generators.Max(slice => slice.CompilationSeconds));
}

internal static class AdapterPlans
{
    // Adapters size their batches and buffers by the messages that can be in flight. With server push, the user gives no such number.
    private const int LeastListened = 64;

    public static RunPlan PlanForAdapters(this IWorkload workload, RunPlan plan) => workload.LatencyKind == LatencyKind.OneWay
        ? plan with { ParallelMessages = Math.Max(plan.ParallelMessages, LeastListened) }
        : plan;
}
