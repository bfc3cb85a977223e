namespace NetCoreNetworkBenchmark.Results;

/// <summary>The cores that the sides of a run were bound to.</summary>
/// <param name="Server">The server's; null where it was not bound.</param>
/// <param name="Clients">The clients'; null where they were not bound.</param>
public sealed record PinningResult(SidePinning? Server, SidePinning? Clients);

/// <summary>The cores that one side was bound to.</summary>
/// <param name="Asked">Numbers of the cores that were asked for.</param>
/// <param name="Cores">Numbers of the cores that any thread of its process could use, as that process read them back.</param>
public sealed record SidePinning(IReadOnlyList<int> Asked, IReadOnlyList<int> Cores);
