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
    public async Task The_two_directions_do_not_meet_the_same_fate()
    {
        await using var traffic = new RelayedTraffic(new ImpairmentPlan { Loss = 0.3 });
        await traffic.BeginAsync();
        List<Seen> toServer = await traffic.ToServerAsync(500);
        List<Seen> toClient = await traffic.ToClientAsync(500);
        Assert.NotEqual(toServer.Select(datagram => datagram.Number), toClient.Select(datagram => datagram.Number));
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
    public async Task Datagrams_of_a_client_for_which_there_is_no_descriptor_are_lost_with_a_remark()
    {
        using Socket server = RelayedTraffic.Bind();
        using var recorder = new RunRecorder();
        RelaySetup setup = RelayedTraffic.SetupOf((IPEndPoint)server.LocalEndPoint!, recorder) with { MaxSockets = () => 1 };
        await using Relay relay = Relay.Start(setup);
        using Socket first = RelayedTraffic.Bind();
        using Socket second = RelayedTraffic.Bind();
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        deadline.CancelAfter(RelayedTraffic.Deadline);
        await first.SendToAsync(new byte[1], relay.EndPoint);
        await server.ReceiveAsync(new byte[2], deadline.Token);
        await second.SendToAsync(new byte[2], relay.EndPoint);
        await Wait.UntilAsync(() => recorder.Remarks().Count > 0, "the remark");
        Assert.Contains("no descriptor to spare", Assert.Single(recorder.Remarks()), StringComparison.Ordinal);
        await first.SendToAsync(new byte[3], relay.EndPoint);
        Assert.Equal(3, await server.ReceiveAsync(new byte[4], deadline.Token));
        Assert.Equal(0, server.Available);
    }

    [Theory, InlineData(Protocol.Udp), InlineData(Protocol.Tcp)]
    public async Task Start_says_what_is_wrong_with_an_address_that_is_in_use(Protocol protocol)
    {
        using Socket server = RelayedTraffic.Bind();
        using var recorder = new RunRecorder();
        var plan = new RunPlan { Library = "Sockets", Protocol = protocol };
        RelaySetup setup = Setups.OfRelay((IPEndPoint)server.LocalEndPoint!, recorder, plan: plan);
        await using Relay relay = Relay.Start(setup);
        Assert.Throws<BenchmarkException>(() => Relay.Start(setup with { EndPoint = relay.EndPoint })).Message.AssertHas(
            "is in use. Use -p 0 for a free one.");
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
