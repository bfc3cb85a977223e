namespace NetCoreNetworkBenchmark.Results;

/// <summary>The distribution of the messages of a measurement over the clients.</summary>
/// <param name="Fewest">Messages of the client that received the fewest.</param>
/// <param name="Median">The median of all clients.</param>
/// <param name="Most">Messages of the client that received the most.</param>
/// <param name="SlowClients">The number of clients that received less than half the median.</param>
/// <param name="Slowest">The slow clients that received the fewest, at most ten.</param>
public sealed record ClientShares(long Fewest, double Median, long Most, int SlowClients, IReadOnlyList<SlowClient> Slowest);

/// <summary>A client that received less than half as many messages as the median client.</summary>
/// <param name="Client">The number of the client, from 1.</param>
/// <param name="Messages">The messages that it received within the measurement.</param>
public sealed record SlowClient(int Client, long Messages);
