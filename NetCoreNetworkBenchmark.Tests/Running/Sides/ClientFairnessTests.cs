namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class ClientFairnessTests
{
    [Fact]
    public void Of_gives_the_fewest_the_median_and_the_most()
    {
        ClientFairness shares = ClientFairness.Of([30, 10, 20]);
        Assert.Equal((10, 20.0, 30, 0), (shares.Fewest, shares.Median, shares.Most, shares.SlowClients));
        Assert.Equal(25, ClientFairness.Of([40, 10, 20, 30]).Median);
    }

    [Fact]
    public void A_client_with_less_than_half_the_median_is_named_by_its_number()
    {
        ClientFairness shares = ClientFairness.Of([100, 49, 100, 50, 0, 100, 100]);
        Assert.Equal(2, shares.SlowClients);
        Assert.Equal([new SlowClient(5, 0), new SlowClient(2, 49)], shares.Slowest);
    }

    [Fact]
    public void At_most_ten_are_named_and_all_are_counted()
    {
        long[] received = [.. Enumerable.Repeat(0L, 12), .. Enumerable.Repeat(100L, 20)];
        ClientFairness shares = ClientFairness.Of(received);
        Assert.Equal((12, 10), (shares.SlowClients, shares.Slowest.Count));
        Assert.Equal(Enumerable.Range(1, 10), shares.Slowest.Select(client => client.Client));
    }
}
