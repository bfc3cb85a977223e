namespace NetCoreNetworkBenchmark.Running.Hosts;

internal static class ClientShares
{
    /// <summary>Uses the method of the largest remainder. A host has 0 clients if there are fewer clients than hosts.</summary>
    public static IReadOnlyList<int> Divide(this HostsPlan hosts, int clients)
    {
        IReadOnlyList<ClientHost> all = hosts.ClientHosts;
        long shares = all.Sum(host => (long)host.Share);
        int[] parts = [.. all.Select(host => (int)(clients * (long)host.Share / shares))];
        IEnumerable<int> byRemainder = Enumerable.Range(0, parts.Length).OrderByDescending(index => clients * (long)all[index].Share % shares);
        foreach (int index in byRemainder.Take(clients - parts.Sum()))
        {
            parts[index]++;
        }

        return parts;
    }

    public static IEnumerable<(string Host, int Clients)> PartsOf(this HostsPlan hosts, int clients) =>
        hosts.ClientHosts.Zip(hosts.Divide(clients), (host, part) => (host.Name, part)).Where(part => part.part > 0);
}
