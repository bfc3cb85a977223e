using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The figures of a relay.</summary>
/// <param name="Counts">The counts of both directions.</param>
/// <param name="Remarks">The deviations from the requested impairment.</param>
internal sealed record RelayReport(RelayCounts Counts, IReadOnlyList<string> Remarks);
