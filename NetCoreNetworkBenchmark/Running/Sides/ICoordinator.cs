using System.Text.Json.Serialization;
using NetCoreNetworkBenchmark.Running.Machine.Facts;

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

/// <param name="ForClients">The authority to trust and the certificate to show; null without TLS.</param>
internal sealed record ServerAddress(IPEndPoint EndPoint, TlsCredentials? ForClients);

/// <param name="PhaseLength">The length of the phase; null if it is not fixed.</param>
internal sealed record RunProgress(RunPhase Phase, TimeSpan PhaseElapsed, TimeSpan? PhaseLength, double MessagesPerSecond);

internal sealed record HostReport(string Name, HostFacts Facts, TimeSpan ClockStep);

/// <summary>A command to the clients of a load that runs in slices. Each is answered when it is done.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "type")]
[JsonDerivedType(typeof(WarmUpCommand), "warmUp")]
[JsonDerivedType(typeof(MeasureCommand), "measure")]
[JsonDerivedType(typeof(RestCommand), "rest")]
[JsonDerivedType(typeof(EndCommand), "end")]
internal abstract record SliceCommand;

/// <summary>Runs the load without measuring it, and drains it.</summary>
internal sealed record WarmUpCommand(double Seconds) : SliceCommand;

/// <summary>Resumes the load, lets it settle, measures it and pauses it.</summary>
/// <param name="StaysInFlight">Whether messages stay in flight, because the processes of both sides are suspended. Otherwise, the load is drained.</param>
/// <param name="DiscardsEarlier">Whether the slices so far were a part of the warm-up, and their figures are discarded.</param>
internal sealed record MeasureCommand(double SettleSeconds, double Seconds, bool StaysInFlight, bool DiscardsEarlier) : SliceCommand;

/// <summary>Sends nothing new for a while.</summary>
/// <param name="StaysInFlight">Whether the processes of both sides are suspended afterwards.</param>
internal sealed record RestCommand(double Seconds, bool StaysInFlight) : SliceCommand;

/// <summary>Drains a load that stayed in flight. Only the figures are requested afterwards.</summary>
internal sealed record EndCommand : SliceCommand;

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
