using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Computes how evenly the clients were served, and lists the slow ones.</summary>
internal static class ClientFairness
{
    private const int MostNamed = 10;

    /// <param name="received">The messages of each client, in the order of their numbers from 1; at least one client.</param>
    public static ClientShares Of(IReadOnlyList<long> received)
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
        return new ClientShares(sorted[0], median, sorted[^1], slow.Length, [.. slow.Take(MostNamed)]);
    }
}
