namespace NetCoreNetworkBenchmark.Results;

/// <summary>The settings of .NET's runtime that were asked for, and the effect that the processes reported.</summary>
/// <param name="Asked">The values by the names of the settings.</param>
/// <param name="ServerGarbageCollector">The garbage collector of the server's process; null if it did not report it.</param>
/// <param name="ClientsGarbageCollector">The garbage collector of the clients' process; null if it did not report it.</param>
public sealed record RuntimeResult(IReadOnlyDictionary<string, string> Asked, string? ServerGarbageCollector, string? ClientsGarbageCollector);
