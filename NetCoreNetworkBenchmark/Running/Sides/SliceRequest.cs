namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>A request to run a load for a while.</summary>
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
