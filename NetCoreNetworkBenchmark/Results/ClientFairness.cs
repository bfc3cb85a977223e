namespace NetCoreNetworkBenchmark.Results;

/// <summary>The distribution of the messages of a measurement over the clients.</summary>
/// <param name="Fewest">Messages of the client that received the fewest.</param>
/// <param name="Median">The median of all clients.</param>
/// <param name="Most">Messages of the client that received the most.</param>
/// <param name="SlowClients">The number of clients that received less than half the median.</param>
/// <param name="Slowest">The slow clients that received the fewest, at most ten.</param>
public sealed record ClientFairness(long Fewest, double Median, long Most, int SlowClients, IReadOnlyList<SlowClient> Slowest)
{
    private const int MostNamed = 10;

    /// <summary>Computes how evenly the clients were served.</summary>
    /// <param name="received">The messages of each client, in the order of their numbers from 1; at least one client.</param>
    /// <returns>The distribution.</returns>
    public static ClientFairness Of(IReadOnlyList<long> received)
    {
        long[] sorted = [.. received.Order()];
        double median = (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2.0;
        SlowClient[] slow =
        [
            .. received.Select((messages, index) => new SlowClient(index + 1, messages))
                .Where(client => 2 * client.Messages < median)
                .OrderBy(client => client.Messages)
                .ThenBy(client => client.Client),
        ];
        return new ClientFairness(sorted[0], median, sorted[^1], slow.Length, [.. slow.Take(MostNamed)]);
    }
}

/// <summary>A client that received less than half as many messages as the median client.</summary>
/// <param name="Client">The number of the client, from 1.</param>
/// <param name="Messages">The messages that it received within the measurement.</param>
public sealed record SlowClient(int Client, long Messages);
