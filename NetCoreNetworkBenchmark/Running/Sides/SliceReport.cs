namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of one slice of a load.</summary>
/// <param name="Seconds">The length of the measurement; 0 for a warm-up.</param>
/// <param name="Messages">The messages that were counted in it.</param>
/// <param name="FillSeconds">The time from the resumption of the load until it was full and had settled.</param>
/// <param name="DrainSeconds">The time from the end of the measurement until nothing was in flight.</param>
internal sealed record SliceReport(double Seconds, long Messages, double FillSeconds, double DrainSeconds)
{
    /// <summary>Merges the slices of several drivers that ran at the same time: messages add up, and times are the longest.</summary>
    /// <param name="drivers">The slices; one or more.</param>
    public static SliceReport Merge(IReadOnlyList<SliceReport> drivers) => new(
        drivers.Max(slice => slice.Seconds),
        drivers.Sum(slice => slice.Messages),
        drivers.Max(slice => slice.FillSeconds),
        drivers.Max(slice => slice.DrainSeconds));
}
