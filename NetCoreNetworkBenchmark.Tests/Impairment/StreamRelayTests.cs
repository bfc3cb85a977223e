namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The effect of a relay on the bytes and the connections that arrive at it.</summary>
public sealed class StreamRelayTests
{
    private const int Megabyte = 1024 * 1024;

    private static readonly Dictionary<string, ImpairmentPlan> s_plans = new()
    {
        ["nothing"] = new(),
        ["delay"] = new() { Delay = TimeSpan.FromMilliseconds(5) },
        ["jitter"] = new() { Delay = TimeSpan.FromMilliseconds(1), Jitter = TimeSpan.FromMilliseconds(5) },
        ["bandwidth"] = new() { BandwidthBitsPerSecond = 200_000_000 },
        ["stall"] = new() { BandwidthBitsPerSecond = 400_000_000, Stall = new Interruption(TimeSpan.FromMilliseconds(10), TimeSpan.FromMilliseconds(20)) },
    };

    public static TheoryData<string> Plans => [.. s_plans.Keys];

    [Theory, MemberData(nameof(Plans))]
    public async Task Every_byte_arrives_in_its_order_and_is_counted_once(string name)
    {
        const int Size = 4 * Megabyte;
        await using var streams = new RelayedStreams(s_plans[name]);
        using StreamPair pair = streams.Connect();
        await streams.Relay.BeginAsync();
        byte[] request = RelayedStreams.Pattern(1, Size);
        byte[] answer = RelayedStreams.Pattern(2, Size);
        Task sending = SendInPiecesAsync(pair.Client, request);
        Task answering = SendInPiecesAsync(pair.Server, answer);
        Task<byte[]> received = Task.Run(() => RelayedStreams.Receive(pair.Server, Size), TestContext.Current.CancellationToken);
        Assert.True(RelayedStreams.Receive(pair.Client, Size).AsSpan().SequenceEqual(answer));
        Assert.True((await received).AsSpan().SequenceEqual(request));
        await Task.WhenAll(sending, answering);
        RelayCounts counts = await streams.CountAtRestAsync();
        Assert.Equal(1, counts.Clients);
        Assert.All([counts.ToServer, counts.ToClients], direction =>
        {
            RelayStreamCounts bytes = direction.Stream!;
            Assert.Equal((Size, Size), (bytes.Bytes, bytes.ForwardedBytes));
            Assert.Equal((direction.Received, 0, null), (direction.Forwarded, direction.Overflowed, direction.Missed));
            Assert.InRange(bytes.LongestQueue, 1, Size);
            Assert.Equal(name == "nothing", bytes.DelayedBytes == 0);
            Assert.True(name is "nothing" or "jitter" || bytes.DelayedBytes == Size, $"{bytes.DelayedBytes} bytes were delayed.");
        });
        Assert.Equal(name == "stall", counts.Stalls > 0);
    }

    [Theory, InlineData(1, 1), InlineData(300, 1_000), InlineData(20, 300_000)]
    public async Task Many_clients_have_a_connection_each(int clients, int size)
    {
        await using var streams = new RelayedStreams(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1) }, clients);
        StreamPair[] pairs = [.. Enumerable.Range(0, clients).Select(_ => streams.Connect())];
        Task[] sending = [.. pairs.Select((pair, number) => pair.Client.SendAsync(RelayedStreams.Pattern(number, size)))];
        foreach (StreamPair pair in pairs)
        {
            pair.Server.Send(RelayedStreams.Receive(pair.Server, size));
        }

        foreach ((int number, StreamPair pair) in pairs.Index())
        {
            Assert.Equal(RelayedStreams.Pattern(number, size), RelayedStreams.Receive(pair.Client, size));
            pair.Dispose();
        }

        await Task.WhenAll(sending);
        Assert.Equal(clients, (await streams.Relay.CountAsync()).Clients);
    }

    [Fact]
    public async Task Receiver_that_does_not_read_slows_only_its_own_sender()
    {
        // The sockets' own buffers hold bytes in addition to those in the relay.
        const int Max = 64 * Megabyte;
        await using var streams = new RelayedStreams(new ImpairmentPlan());
        using StreamPair stuck = streams.Connect();
        using StreamPair other = streams.Connect();
        await streams.Relay.BeginAsync();
        long accepted = 0;
        byte[] piece = RelayedStreams.Pattern(1, 64 * 1024);
        Task sending = SendManyAsync();
        StreamBounds bounds = StreamBounds.For(new ImpairmentPlan(), clients: 1);
        await Wait.UntilAsync(async () => (await streams.Relay.CountAsync()).ToServer.Stream!.LongestQueue >= bounds.Flow, "the relay keeps all it may");
        other.Client.Send(new byte[10]);
        Assert.Equal(10, RelayedStreams.Receive(other.Server, 10).Length);
        Assert.InRange(Volatile.Read(ref accepted), bounds.Flow, Max - 1);
        Assert.False(sending.IsCompleted);
        for (int number = 0; number < Max / piece.Length; number++)
        {
            Assert.True(RelayedStreams.Receive(stuck.Server, piece.Length).AsSpan().SequenceEqual(piece), $"Chunk {number} is another.");
        }

        await sending;
        Assert.InRange((await streams.Relay.CountAsync()).ToServer.Stream!.LongestQueue, bounds.Flow, bounds.Flow + (2 * piece.Length));

        async Task SendManyAsync()
        {
            for (; Volatile.Read(ref accepted) < Max; Interlocked.Add(ref accepted, piece.Length))
            {
                await stuck.Client.SendAsync(piece, TestContext.Current.CancellationToken);
            }
        }
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task An_end_is_passed_on_behind_the_last_byte_and_the_other_direction_goes_on(bool byClient)
    {
        await using var streams = new RelayedStreams(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(3) });
        using StreamPair pair = streams.Connect();
        (Socket first, Socket last) = byClient ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
        byte[] bytes = RelayedStreams.Pattern(1, Megabyte);
        Task sending = Task.Run(() => SendAndEnd(first, bytes), TestContext.Current.CancellationToken);
        Assert.Equal(bytes, RelayedStreams.Receive(last, bytes.Length + 1));
        await sending;
        last.Send([1, 2, 3]);
        Assert.Equal([1, 2, 3], RelayedStreams.Receive(first, 3));
        last.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(first, 1));
    }

    [Fact]
    public async Task What_a_client_sent_before_it_closed_still_arrives_at_a_server_that_reads_late()
    {
        await using var streams = new RelayedStreams(new ImpairmentPlan());
        using StreamPair pair = streams.Connect();
        byte[] bytes = RelayedStreams.Pattern(1, 8 * Megabyte);
        pair.Server.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(pair.Client, 1));
        Task sending = Task.Run(
            () =>
            {
                pair.Client.Send(bytes);
                pair.Client.Dispose();
            },
            TestContext.Current.CancellationToken);
        await Task.WhenAny(sending, Task.Delay(TimeSpan.FromMilliseconds(100), TestContext.Current.CancellationToken));
        Assert.True(RelayedStreams.Receive(pair.Server, bytes.Length + 1).AsSpan().SequenceEqual(bytes));
        await sending;
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_connection_that_breaks_breaks_its_twin(bool byClient)
    {
        await using var streams = new RelayedStreams(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1) });
        using StreamPair pair = streams.Connect();
        (Socket first, Socket last) = byClient ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
        first.Send([1]);
        Assert.Single(RelayedStreams.Receive(last, 1));
        first.Close(0);
        Assert.Equal(SocketError.ConnectionReset, Assert.Throws<SocketException>(() => RelayedStreams.Receive(last, 1)).SocketErrorCode);
        using StreamPair next = streams.Connect();
        next.Client.Send([2]);
        Assert.Equal([2], RelayedStreams.Receive(next.Server, 1));
    }

    [Fact]
    public async Task What_was_under_way_when_its_connection_broke_is_counted()
    {
        await using var streams = new RelayedStreams(new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(200) });
        using StreamPair pair = streams.Connect();
        await streams.Relay.BeginAsync();
        pair.Client.Send(new byte[10]);
        await Wait.UntilAsync(async () => (await streams.Relay.CountAsync()).ToServer.Received == 1, "the bytes came");
        pair.Server.Close(0);
        RelayDirectionCounts counts = (await streams.CountAtRestAsync()).ToServer;
        Assert.Equal((1, 0, 1), (counts.Received, counts.Forwarded, counts.Overflowed));
        Assert.Equal((10, 0), (counts.Stream!.Bytes, counts.Stream.ForwardedBytes));
    }

    [Fact]
    public async Task A_server_that_is_not_there_closes_the_client_and_is_no_fault()
    {
        // Bound, so that nobody else is given the port. It does not listen.
        using Socket closed = RelayedStreams.Open();
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using var recorder = new RunRecorder();
        await using Relay relay = Relay.Start(RelayedStreams.SetupOf(new ImpairmentPlan(), (IPEndPoint)closed.LocalEndPoint!, recorder));
        foreach (int _ in Enumerable.Range(0, 3))
        {
            using Socket client = RelayedStreams.Open();
            Assert.Throws<SocketException>(() =>
            {
                client.Connect(relay.EndPoint);
                RelayedStreams.Receive(client, 1);
            });
        }

        await Wait.UntilAsync(async () => (await relay.CountAsync()).Clients == 3, "the relay has seen all");
        Assert.False(recorder.Fault.IsCompleted);
    }

    [Fact]
    [Trait("Category", "Leak")]
    public async Task Connections_that_end_or_break_leave_no_descriptor_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux lists a process' descriptors as files.");

        // Other tests may open descriptors at the same time; a leak would be at least as large as the number of connections.
        const int Connections = 2_000;
        const int OfOthers = 500;
        await using var streams = new RelayedStreams(new ImpairmentPlan());
        int before = LeakTests.Descriptors();
        for (int number = 0; number < Connections; number++)
        {
            using StreamPair pair = streams.Connect();
            (Socket first, Socket last) = number % 4 < 2 ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
            if (number % 2 == 0)
            {
                first.Close(0);
                Assert.Throws<SocketException>(() => RelayedStreams.Receive(last, 1));
            }
            else
            {
                first.Dispose();
                Assert.Empty(RelayedStreams.Receive(last, 1));
            }
        }

        await Wait.UntilAsync(() => Task.FromResult(LeakTests.Descriptors() < before + OfOthers), $"fewer than {before} + {OfOthers} descriptors are open");
    }

    [Fact]
    public async Task Nothing_counts_before_Begin_and_after_End()
    {
        await using var streams = new RelayedStreams(
            new ImpairmentPlan { Stall = new Interruption(TimeSpan.FromMilliseconds(90), TimeSpan.FromMilliseconds(91)) });
        using StreamPair pair = streams.Connect();
        Carry(1);
        Assert.Equal(0, (await streams.Relay.CountAsync()).ToServer.Received);
        await streams.Relay.BeginAsync();
        Carry(2);
        RelayCounts during = await streams.CountAtRestAsync();
        await streams.Relay.EndAsync();
        Carry(3);
        RelayCounts after = await streams.Relay.CountAsync();
        Assert.Equal((1, 2), (during.ToServer.Received, during.ToServer.Stream!.Bytes));
        Assert.Equal(during.ToServer, after.ToServer);
        await streams.Relay.DisposeAsync();
        Assert.Equal(after, await streams.Relay.CountAsync());

        void Carry(int bytes)
        {
            pair.Client.Send(new byte[bytes]);
            Assert.Equal(bytes, RelayedStreams.Receive(pair.Server, bytes).Length);
        }
    }

    [Fact]
    public async Task Start_says_what_is_wrong_with_an_address_that_is_in_use()
    {
        await using var streams = new RelayedStreams(new ImpairmentPlan());
        using var recorder = new RunRecorder();
        RelaySetup setup = RelayedStreams.SetupOf(new ImpairmentPlan(), streams.ServerEndPoint, recorder) with { EndPoint = streams.Relay.EndPoint };
        Assert.Contains("is in use. Use -p 0 for a free one.", Assert.Throws<BenchmarkException>(() => Relay.Start(setup)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_relay_keeps_what_fills_the_line_but_not_more_than_memory_can_hold()
    {
        var slow = new ImpairmentPlan { BandwidthBitsPerSecond = 8_000_000, Delay = TimeSpan.FromMilliseconds(250) };
        Assert.Equal(new StreamBounds(4 * Megabyte, 256 * Megabyte), StreamBounds.For(new ImpairmentPlan(), clients: 1));
        Assert.Equal(new StreamBounds(64 * 1024, 256 * Megabyte), StreamBounds.For(new ImpairmentPlan(), clients: 100_000));
        Assert.Equal(new StreamBounds(500_000, 1_500_000), StreamBounds.For(slow, clients: 1_000));
        Assert.Equal(new StreamBounds(256 * Megabyte, 256 * Megabyte), StreamBounds.For(slow with { BandwidthBitsPerSecond = 1_000_000_000_000 }, clients: 1));
    }

    private static void SendAndEnd(Socket socket, byte[] bytes)
    {
        socket.Send(bytes);
        socket.Shutdown(SocketShutdown.Send);
    }

    private static async Task SendInPiecesAsync(Socket socket, byte[] bytes)
    {
        var random = new Random(bytes[0]);
        for (int sent = 0; sent < bytes.Length;)
        {
            int length = Math.Min(random.Next(1, 100_000), bytes.Length - sent);
            sent += await socket.SendAsync(bytes.AsMemory(sent, length), TestContext.Current.CancellationToken);
        }
    }
}
