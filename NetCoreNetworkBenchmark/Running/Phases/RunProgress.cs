namespace NetCoreNetworkBenchmark.Running.Phases;

/// <param name="PhaseLength">The length of the phase; null if it is not fixed.</param>
internal sealed record RunProgress(RunPhase Phase, TimeSpan PhaseElapsed, TimeSpan? PhaseLength, double MessagesPerSecond);
