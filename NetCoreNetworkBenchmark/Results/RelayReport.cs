namespace NetCoreNetworkBenchmark.Results;

/// <summary>The figures of the relay that impaired the traffic between clients and server.</summary>
/// <param name="Counts">The counts of both directions.</param>
/// <param name="Remarks">The deviations from the requested impairment, a sentence each.</param>
public sealed record RelayReport(RelayCounts Counts, IReadOnlyList<string> Remarks);
