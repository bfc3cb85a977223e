namespace NetCoreNetworkBenchmark.Running;

/// <summary>What the runner itself measured around the load.</summary>
/// <param name="StartedAt">When the measurement began.</param>
/// <param name="Duration">How long it took.</param>
/// <param name="AllocatedBytes">Managed bytes that the process allocated meanwhile.</param>
/// <param name="Aborted">Whether it was ended before its time.</param>
internal sealed record Measurement(DateTimeOffset StartedAt, TimeSpan Duration, long AllocatedBytes, bool Aborted);
