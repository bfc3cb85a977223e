namespace NetCoreNetworkBenchmark.Results;

/// <summary>How the messages of a measurement were spread over the clients.</summary>
/// <param name="Fewest">Messages of the client that received the fewest.</param>
/// <param name="Median">The median of all clients.</param>
/// <param name="Most">Messages of the client that received the most.</param>
/// <param name="SlowClients">How many received less than half the median.</param>
/// <param name="Slowest">Those of them that received the fewest, at most ten.</param>
public sealed record ClientShares(long Fewest, double Median, long Most, int SlowClients, IReadOnlyList<SlowClient> Slowest);

/// <summary>A client that received less than half of what the median client did.</summary>
/// <param name="Client">Its number, from 1.</param>
/// <param name="Messages">What it received within the measurement.</param>
public sealed record SlowClient(int Client, long Messages);
