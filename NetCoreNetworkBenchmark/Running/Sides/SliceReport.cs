namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of one slice of a load.</summary>
/// <param name="Seconds">The length of the measurement; 0 if there was none.</param>
/// <param name="Messages">The messages that were counted in it.</param>
/// <param name="SettleSeconds">The time from the resumption of the load to the measurement.</param>
/// <param name="DrainSeconds">The time from the end of the measurement until nothing was in flight; 0 for a load that stays in flight.</param>
/// <param name="CompilationSeconds">The time in which the JIT compiler of the clients' process ran during the measurement, over all its threads.</param>
internal sealed record SliceReport(double Seconds, long Messages, double SettleSeconds, double DrainSeconds, double CompilationSeconds)
{
    /// <summary>Merges the slices of several drivers that ran at the same time: messages add up, and times are the longest.</summary>
    /// <param name="drivers">The slices; one or more.</param>
    public static SliceReport Merge(IReadOnlyList<SliceReport> drivers) => new(
        drivers.Max(slice => slice.Seconds),
        drivers.Sum(slice => slice.Messages),
        drivers.Max(slice => slice.SettleSeconds),
        drivers.Max(slice => slice.DrainSeconds),
        drivers.Max(slice => slice.CompilationSeconds));
}
