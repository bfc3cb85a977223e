namespace NetCoreNetworkBenchmark.Tests.Impairment;

public sealed class UdpRelayTests
{
    private const int Many = 20_000;

    // In bytes: the default of Linux' net.core.rmem_max, and the size that Linux charges for a datagram in addition to its content.
    private const int HeldByBuffer = 212_992;
    private const int HeldForDatagram = 768;

    private static readonly ImpairmentPlan s_everything = new() { Loss = 0.05, Duplicate = 0.04, Reorder = 0.03, Corrupt = 0.02, Seed = 7 };

    [Theory, InlineData(1, 1), InlineData(300, 40), InlineData(20, 60_000)]
    public async Task Datagrams_pass_unchanged_between_many_clients_and_the_server(int clients, int size)
    {
        using Socket server = RelayedTraffic.Bind();
        using var recorder = new RunRecorder();
        await using Relay relay = Relay.Start(RelayedTraffic.SetupOf((IPEndPoint)server.LocalEndPoint!, recorder));
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        deadline.CancelAfter(RelayedTraffic.Deadline);
        Task echo = EchoAsync(server, clients, deadline.Token);
        Socket[] sockets = [.. Enumerable.Range(0, clients).Select(_ => RelayedTraffic.Bind())];

        // At most as many at a time as fit into an ordinary user's socket buffers while they are not read.
        foreach (int[] together in Enumerable.Range(0, clients).Chunk(HeldByBuffer / (HeldForDatagram + size)))
        {
            foreach (int client in together)
            {
                await sockets[client].SendToAsync(Pattern(client, size), SocketFlags.None, relay.EndPoint, deadline.Token);
            }

            foreach (int client in together)
            {
                byte[] received = new byte[size + 1];
                SocketReceiveFromResult answer = await sockets[client].ReceiveFromAsync(received, SocketFlags.None, relay.EndPoint, deadline.Token);
                Assert.Equal(relay.EndPoint, answer.RemoteEndPoint);
                Assert.Equal(Pattern(client, size), received.Take(answer.ReceivedBytes));
                sockets[client].Dispose();
            }
        }

        await echo;
        Assert.Equal(clients, (await relay.CountAsync()).Clients);
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task Counts_are_exactly_what_the_receiving_side_sees(bool toServer)
    {
        await using var traffic = new RelayedTraffic(s_everything);
        await traffic.BeginAsync();
        List<Seen> seen = toServer ? await traffic.ToServerAsync(Many) : await traffic.ToClientAsync(Many);
        RelayCounts counts = await traffic.Relay.CountAsync();
        RelayDirectionCounts direction = toServer ? counts.ToServer : counts.ToClients;
        int[] first = [.. seen.Select(datagram => datagram.Number).Distinct()];
        Assert.Equal((Many, Many - first.Length, seen.Count - first.Length), (direction.Received, direction.Dropped, direction.Duplicated));
        Assert.Equal(seen.Count(datagram => !datagram.Intact), direction.Corrupted);
        Assert.Equal((Late(first), 0, 0), (direction.Reordered, direction.Overflowed, direction.Missed ?? 0));
        AssertNear(Many * s_everything.Loss, direction.Dropped);
        AssertNear(Many * s_everything.Duplicate * (1 - s_everything.Loss), direction.Duplicated);
        AssertNear(Many * s_everything.Corrupt * (1 - s_everything.Loss), direction.Corrupted);
        Assert.Equal(toServer, direction.Reordered > 0);
    }

    [Fact]
    public async Task The_same_seed_gives_the_same_traffic_the_same_fate()
    {
        Assert.Equal(await FatesAsync(seed: 1), await FatesAsync(seed: 1));
        Assert.NotEqual(await FatesAsync(seed: 1), await FatesAsync(seed: 2));
    }

    [Fact]
    public async Task The_two_directions_do_not_meet_the_same_fate()
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Loss = 0.3 });
        await traffic.BeginAsync();
        List<Seen> toServer = await traffic.ToServerAsync(500);
        List<Seen> toClient = await traffic.ToClientAsync(500);
        Assert.NotEqual(toServer.Select(datagram => datagram.Number), toClient.Select(datagram => datagram.Number));
    }

    [Fact]
    public async Task Reorder_swaps_a_datagram_with_the_next_one()
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Reorder = 1 });
        await traffic.BeginAsync();
        foreach (int number in Enumerable.Range(0, 4))
        {
            await traffic.SendAsync(number);
        }

        int[] order = [.. await ReceiveAsync(traffic, 4)];
        RelayCounts counts = await traffic.Relay.CountAsync();

        // On a slow machine 10 ms may pass between two datagrams, which then keep their order.
        Assert.Equal(Late(order), counts.ToServer.Reordered);
        Assert.Equal(Enumerable.Range(0, 4), order.Order());
    }

    [Fact]
    public async Task Reorder_sends_a_datagram_without_a_follower_and_does_not_count_it()
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Reorder = 1 });
        await traffic.BeginAsync();
        long sent = Stopwatch.GetTimestamp();
        await traffic.SendAsync(5);
        Seen seen = await traffic.ReceiveAtServerAsync();
        Assert.Equal((5, true), (seen.Number, Stopwatch.GetElapsedTime(sent, seen.At) >= TimeSpan.FromMilliseconds(10)));
        Assert.Equal(0, (await traffic.Relay.CountAsync()).ToServer.Reordered);
    }

    [Fact]
    public async Task What_the_queue_of_the_line_cannot_hold_overflows()
    {
        // At such a low rate the queue is limited to 64 KiB: with headers 1,366 of these datagrams.
        const int Count = 2_000;
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { BandwidthBitsPerSecond = 1_000 });
        await traffic.Relay.BeginAsync();
        foreach (int number in Enumerable.Range(0, Count))
        {
            await traffic.SendAsync(number);
            if (number % 50 == 0)
            {
                await traffic.Relay.CountAsync();
            }
        }

        RelayCounts counts;
        long start = Stopwatch.GetTimestamp();
        do
        {
            counts = await traffic.Relay.CountAsync();
            Assert.True(Stopwatch.GetElapsedTime(start) < RelayedTraffic.Deadline, $"{counts}");
        }
        while (counts.ToServer.Received < Count);
        Assert.InRange(counts.ToServer.Overflowed, 1, Count - 1_366);
    }

    [Fact]
    public async Task Nothing_is_impaired_or_counted_before_Begin_and_after_End()
    {
        await using var traffic = new RelayedTraffic(
            new ImpairmentPlan { Loss = 1, Stall = new Interruption(TimeSpan.FromMilliseconds(90), TimeSpan.FromMilliseconds(91)) });
        await traffic.SendAsync(1);
        Assert.Equal(1, (await traffic.ReceiveAtServerAsync()).Number);
        Assert.Equal(0, (await traffic.Relay.CountAsync()).ToServer.Received);
        await traffic.Relay.BeginAsync();
        await traffic.SendAsync(2);
        RelayDirectionCounts during = await traffic.CountAtRestAsync(1, counts => counts.ToServer);
        await traffic.Relay.EndAsync();
        await traffic.SendAsync(3);
        Assert.Equal(3, (await traffic.ReceiveAtServerAsync()).Number);
        RelayCounts after = await traffic.Relay.CountAsync();
        Assert.Equal((1, 1, during), (during.Received, during.Dropped, after.ToServer));
        await traffic.Relay.DisposeAsync();
        Assert.Equal(after, await traffic.Relay.CountAsync());
    }

    [Fact]
    public async Task A_server_that_is_not_there_is_no_fault()
    {
        // Bound, so that nobody else is given the port. It is connected to itself, so the system refuses datagrams of others as if nobody had the port.
        using Socket closed = RelayedTraffic.Bind();
        await closed.ConnectAsync(closed.LocalEndPoint!, TestContext.Current.CancellationToken);
        using var recorder = new RunRecorder();
        await using Relay relay = Relay.Start(RelayedTraffic.SetupOf((IPEndPoint)closed.LocalEndPoint!, recorder));
        using Socket client = RelayedTraffic.Bind();
        foreach (int _ in Enumerable.Range(0, 20))
        {
            await client.SendToAsync(new byte[1], relay.EndPoint);
            await relay.CountAsync();
        }

        Assert.False(recorder.Fault.IsCompleted);
    }

    [Fact]
    public async Task Start_says_what_is_wrong_with_an_address_that_is_in_use()
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan());
        using var recorder = new RunRecorder();
        RelaySetup setup = RelayedTraffic.SetupOf(traffic.ServerEndPoint, recorder) with { EndPoint = traffic.Relay.EndPoint };
        Assert.Throws<BenchmarkException>(() => Relay.Start(setup)).Message.AssertHas("is in use. Use -p 0 for a free one.");
    }

    [Fact]
    public void Plan_and_counts_survive_JSON()
    {
        ImpairmentPlan plan = s_everything with
        {
            Delay = TimeSpan.FromMilliseconds(5),
            Stall = new Interruption(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2)),
            Outage = new Interruption(TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(4)),
            Roam = TimeSpan.FromSeconds(5),
        };
        Assert.Equal(plan, JsonSerializer.Deserialize<ImpairmentPlan>(JsonSerializer.Serialize(plan)));
        var counts = new RelayCounts(new RelayDirectionCounts(1, 2, 3, 4, 5, 6, 7, null), new RelayDirectionCounts(0, 0, 0, 0, 0, 0, 0, 8), 9, 10);
        Assert.Equal(counts, JsonSerializer.Deserialize<RelayCounts>(JsonSerializer.Serialize(counts)));
        counts = counts with
        {
            ToServer = counts.ToServer with { Wire = new WireTraffic(4, 5) },
            Cuts = 11,
            ResetConnections = 12,
            Outages = 13,
            Roams = 14,
        };
        Assert.Equal(counts, JsonSerializer.Deserialize<RelayCounts>(JsonSerializer.Serialize(counts)));
    }

    [Fact]
    public void IsNone_holds_for_a_plan_that_changes_nothing_whatever_its_seed()
    {
        Assert.True(new ImpairmentPlan { Seed = 99 }.IsNone);
        Assert.False(s_everything.IsNone);
        Assert.False(new ImpairmentPlan { BandwidthBitsPerSecond = 1_000 }.IsNone);
    }

    private static byte[] Pattern(int client, int size) => [.. Enumerable.Range(client, size).Select(number => (byte)number)];

    private static async Task EchoAsync(Socket server, int datagrams, CancellationToken cancellationToken)
    {
        byte[] buffer = new byte[RunPlan.LargestDatagram];
        for (int count = 0; count < datagrams; count++)
        {
            SocketReceiveFromResult received = await server.ReceiveFromAsync(buffer, SocketFlags.None, server.LocalEndPoint!, cancellationToken);
            await server.SendToAsync(buffer.AsMemory(0, received.ReceivedBytes), SocketFlags.None, received.RemoteEndPoint, cancellationToken);
        }
    }

    private static async Task<List<Seen>> FatesAsync(int seed)
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Loss = 0.2, Duplicate = 0.2, Corrupt = 0.2, Seed = seed });
        await traffic.BeginAsync();
        return [.. (await traffic.ToServerAsync(500)).Select(datagram => datagram with { At = 0 })];
    }

    private static async Task<List<int>> ReceiveAsync(RelayedTraffic traffic, int count)
    {
        var order = new List<int>();
        while (order.Count < count)
        {
            order.Add((await traffic.ReceiveAtServerAsync()).Number);
        }

        return order;
    }

    // Datagrams that arrived after one with a higher number.
    private static int Late(IReadOnlyList<int> order)
    {
        int late = 0;
        int highest = -1;
        foreach (int number in order)
        {
            late += number < highest ? 1 : 0;
            highest = Math.Max(highest, number);
        }

        return late;
    }

    // Six standard deviations of a binomial distribution: a failure by chance occurs once in 500 million runs, and the seed is fixed.
    private static void AssertNear(double expected, long actual) =>
        Assert.InRange(actual, expected - (6 * Math.Sqrt(expected)), expected + (6 * Math.Sqrt(expected)));
}
