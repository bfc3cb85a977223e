namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of one slice of a load.</summary>
/// <param name="Seconds">The length of the measurement; 0 if there was none.</param>
/// <param name="Messages">The messages that were counted in it.</param>
/// <param name="SettleSeconds">The time from the resumption of the load to the measurement.</param>
/// <param name="DrainSeconds">The time from the end of the measurement until nothing was in flight; 0 for a load that stays in flight.</param>
/// <param name="CompilationSeconds">The time in which the JIT compiler of the clients' process ran during the measurement, over all its threads.</param>
internal sealed record SliceReport(double Seconds, long Messages, double SettleSeconds, double DrainSeconds, double CompilationSeconds)
{
    /// <summary>Merges the slices of several load generators that ran at the same time: messages add up, and times are the longest.</summary>
    /// <param name="generators">The slices; one or more.</param>
    public static SliceReport Merge(IReadOnlyList<SliceReport> generators) => new(
        generators.Max(slice => slice.Seconds),
        generators.Sum(slice => slice.Messages),
        generators.Max(slice => slice.SettleSeconds),
        generators.Max(slice => slice.DrainSeconds),
        generators.Max(slice => slice.CompilationSeconds));
}
