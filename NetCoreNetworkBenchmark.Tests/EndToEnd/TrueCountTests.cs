namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Counts compared with the real effect of a relay on the traffic. They must be equal, even on a busy machine.</summary>
[Trait("Category", "Long")]
public sealed class TrueCountTests
{
    private const int ClientsOfMulticast = 20;
    private const string Lossy = "-c 100 --rate 14000 --loss 1% --loss-deadline 4 --warmup";

    private static string LossyMulticast => $"-t Multicast -c {ClientsOfMulticast} --rate 10000 --loss 1% --warmup";

    [Fact]
    public async Task Lost_is_exactly_what_the_relay_dropped()
    {
        RunResult result = await RelayedRun.RunAsync($"{Lossy} 0.2 -d 1");
        RelayCounts relay = RelayedRun.AssertSeesAll(result);
        long dropped = relay.ToServer.Dropped + relay.ToClients.Dropped;
        long lost = dropped + RelayedRun.LostBeside(result, relay);
        Assert.InRange(dropped, 1, result.Totals.Sent);
        Assert.Equal(
            new RunTotals(result.Totals.Sent, result.Totals.Sent - lost, lost, Unanswered: 0, Duplicated: 0, Reordered: 0, Corrupted: 0), result.Totals);
    }

    [Fact]
    public async Task Lost_of_a_server_push_is_what_the_relay_dropped_of_it()
    {
        RunResult result = await RelayedRun.RunAsync($"{LossyMulticast} 0.2 -d 1");
        RelayDirectionCounts relay = result.Relay!.Counts.ToClients;
        Assert.Equal((0, 0, 0), (result.Errors, relay.Overflowed, relay.Missed ?? 0));

        // In addition to the messages, the ends of the streams are forwarded: one for each client, and more if one was lost, or late on a busy machine.
        long ends = relay.Received - result.Totals.Sent;
        Assert.InRange(ends, ClientsOfMulticast, 20 * ClientsOfMulticast);
        Assert.InRange(result.Totals.Lost, relay.Dropped - (ends - ClientsOfMulticast), relay.Dropped);
        Assert.InRange(relay.Dropped, 1, result.Totals.Sent);
        Assert.Equal((0, 0, 0, 0), (result.Totals.Duplicated, result.Totals.Reordered, result.Totals.Corrupted, result.Totals.Unanswered));
    }

    [Fact, Trait("Category", "Timing")]
    public async Task Rate_is_sent_and_the_relay_drops_the_requested_share()
    {
        RunResult result = await RelayedRun.RunAsync($"{Lossy} 0.5 -d 4");
        RelayCounts relay = result.Relay!.Counts;
        long dropped = relay.ToServer.Dropped + relay.ToClients.Dropped;
        Assert.InRange(result.Totals.Sent, 50_000, 100_000);
        Assert.InRange((double)dropped / (relay.ToServer.Received + relay.ToClients.Received), 0.0085, 0.0115);
    }

    [Fact, Trait("Category", "Timing")]
    public async Task Relay_drops_the_requested_share_of_a_server_push()
    {
        RelayDirectionCounts relay = (await RelayedRun.RunAsync($"{LossyMulticast} 0.5 -d 4")).Relay!.Counts.ToClients;
        Assert.InRange((double)relay.Dropped / relay.Received, 0.008, 0.012);
    }

    [Fact]
    public async Task Duplicated_and_reordered_are_exactly_what_the_relay_doubled_and_reordered()
    {
        RunResult result = await RelayedRun.RunAsync("-c 20 --rate 5000 --warmup 0.1 -d 1 --duplicate 2% --reorder 3%");
        RelayCounts relay = RelayedRun.AssertSeesAll(result);
        long doubled = relay.ToServer.Duplicated + relay.ToClients.Duplicated;
        long reordered = relay.ToServer.Reordered + relay.ToClients.Reordered;
        Assert.InRange(doubled, 50, 1_000);
        Assert.InRange(reordered, 50, 1_000);
        Assert.Equal((doubled, reordered, 0), (result.Totals.Duplicated, result.Totals.Reordered, result.Totals.Corrupted));
        Assert.Equal((RelayedRun.LostBeside(result, relay), 0), (result.Totals.Lost, result.Totals.Unanswered));
    }

    [Fact]
    public async Task Every_message_with_one_changed_byte_is_found()
    {
        // The messages of one client reach the relay in the same order in both directions, so the seed ensures that none is changed twice.
        RunResult result = await RelayedRun.RunAsync("-s 64 -x Random -c 1 --rate 5000 --warmup 0.1 -d 2 --corrupt 0.5% --loss-deadline 3");
        RelayCounts relay = RelayedRun.AssertSeesAll(result);
        long corrupted = relay.ToServer.Corrupted + relay.ToClients.Corrupted;
        Assert.InRange(corrupted, 50, 1_000);
        Assert.Equal((corrupted, corrupted + RelayedRun.LostBeside(result, relay)), (result.Totals.Corrupted, result.Totals.Lost));
        Assert.Equal((0, 0), (result.Totals.Duplicated, result.Totals.Reordered));
    }

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl)]
    public async Task Every_client_loses_its_connection_by_a_cut_but_not_before_it_sent_messages(Protocol protocol)
    {
        const int Clients = 10;
        RunResult result = await RelayedRun.RunAsync(
            $"-P {protocol} {StreamRun.KeyOf(protocol)} -c {Clients} --warmup 0 -d 1 --loss-deadline 0.5 --cut 100ms/400ms");
        RelayCounts relay = result.Relay!.Counts;
        Assert.Equal((Clients, Clients), (relay.Clients, relay.ResetConnections));
        Assert.InRange(relay.Cuts, 1, long.MaxValue);
        Assert.InRange(result.Totals.Received, 1, result.Totals.Sent);
        Assert.InRange(result.Errors, Clients, long.MaxValue);
        Assert.False(result.Valid);
    }
}
