using System.Text.Json.Serialization;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Answered when it is done.</summary>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "type")]
[JsonDerivedType(typeof(WarmUpCommand), "warmUp")]
[JsonDerivedType(typeof(MeasureCommand), "measure")]
[JsonDerivedType(typeof(EndCommand), "end")]
internal abstract record SliceCommand;

/// <summary>Runs a load that ends by itself without measuring it, and drains it.</summary>
internal sealed record WarmUpCommand : SliceCommand;

/// <param name="StaysInFlight">Whether messages stay in flight, because the processes of both sides are suspended. Otherwise, the load is drained.</param>
/// <param name="DiscardsEarlier">Whether the slices so far were a part of the warm-up, and their figures are discarded.</param>
internal sealed record MeasureCommand(double SettleSeconds, double Seconds, bool StaysInFlight, bool DiscardsEarlier) : SliceCommand;

/// <summary>Drains a load that stayed in flight. Only the figures are requested afterwards.</summary>
internal sealed record EndCommand : SliceCommand;

/// <param name="DrainSeconds">The time from the end of the measurement until nothing was in flight; 0 for a load that stays in flight.</param>
/// <param name="CompilationSeconds">The time in which the JIT compiler of the clients' process ran during the measurement, over all its threads.</param>
internal sealed record SliceReport(double Seconds, long Messages, double SettleSeconds, double DrainSeconds, double CompilationSeconds)
{
    /// <summary>0 in a closed loop.</summary>
    public double LateShare { get; init; }

    /// <summary>Null if no latency was timed, and for several load generators.</summary>
    public double? P50Microseconds { get; init; }
    public double? P99Microseconds { get; init; }

    public static SliceReport Merge(IReadOnlyList<SliceReport> generators) => generators is [var only] ? only : new(
        generators.Max(slice => slice.Seconds),
        generators.Sum(slice => slice.Messages),
        generators.Max(slice => slice.SettleSeconds),
        generators.Max(slice => slice.DrainSeconds),
        generators.Max(slice => slice.CompilationSeconds))
    {
        LateShare = generators.Max(slice => slice.LateShare),
    };
}
