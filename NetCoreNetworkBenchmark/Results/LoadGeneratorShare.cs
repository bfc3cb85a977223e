namespace NetCoreNetworkBenchmark.Results;

/// <summary>The part of one load generator in a run with several.</summary>
/// <param name="Clients">The number of its clients.</param>
/// <param name="Messages">The messages that they received within the measurement.</param>
/// <param name="DurationSeconds">The length of its measurement in seconds.</param>
/// <param name="Cost">The resources that its process used meanwhile.</param>
public sealed record LoadGeneratorShare(int Clients, long Messages, double DurationSeconds, ProcessCost Cost);
