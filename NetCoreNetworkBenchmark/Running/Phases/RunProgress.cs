using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Running.Phases;

/// <summary>The progress of a run, for display.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="PhaseElapsed">The time that the phase has lasted.</param>
/// <param name="PhaseLength">The length of the phase; null if it is not fixed.</param>
/// <param name="MessagesPerSecond">Round trips per second since the last report.</param>
internal sealed record RunProgress(RunPhase Phase, TimeSpan PhaseElapsed, TimeSpan? PhaseLength, double MessagesPerSecond);
