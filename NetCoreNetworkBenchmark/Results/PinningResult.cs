namespace NetCoreNetworkBenchmark.Results;

/// <summary>The cores that the sides of a run were bound to.</summary>
/// <param name="Server">The cores of the server; null if it was not bound.</param>
/// <param name="Clients">The cores of the clients; null if they were not bound.</param>
public sealed record PinningResult(SidePinning? Server, SidePinning? Clients);

/// <summary>The cores that one side was bound to.</summary>
/// <param name="Asked">The numbers of the requested cores.</param>
/// <param name="Cores">The numbers of the cores that any thread of its process could use, as that process read them back.</param>
public sealed record SidePinning(IReadOnlyList<int> Asked, IReadOnlyList<int> Cores);
