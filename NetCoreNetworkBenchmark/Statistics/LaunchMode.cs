namespace NetCoreNetworkBenchmark.Statistics;

/// <summary>One level that launches of the same case settled on.</summary>
/// <param name="Centre">The median of the mode's launches, in the unit of the figures.</param>
/// <param name="Launches">How many launches were in the mode.</param>
public sealed record LaunchMode(double Centre, int Launches);
