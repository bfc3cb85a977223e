using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running;

/// <summary>Where a run is, for a person to look at.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="PhaseElapsed">How long the phase has lasted.</param>
/// <param name="PhaseLength">How long it will last; null where that depends.</param>
/// <param name="MessagesPerSecond">Round trips per second since the last report.</param>
internal sealed record RunProgress(RunPhase Phase, TimeSpan PhaseElapsed, TimeSpan? PhaseLength, double MessagesPerSecond);
