namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The effect of a cut on connections through a relay. The test starts and ends the cuts itself, so that no time matters.</summary>
public sealed class StreamCutTests : IAsyncDisposable
{
    private readonly StreamRelayLoop _relay = new(new ImpairmentPlan
    {
        Delay = TimeSpan.FromMilliseconds(1),
        Cut = new Interruption(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(2)),
    });

    public StreamCutTests() => _relay.Loop.Post(() =>
    {
        _relay.Traffic.ToServer.Begin();
        _relay.Traffic.ToClients.Begin();
    });

    [Fact]
    public async Task A_cut_resets_every_connection_at_both_ends_and_counts_it_once()
    {
        StreamPair[] pairs = [.. Enumerable.Range(0, 20).Select(_ => ConnectAndCarry())];
        using (StreamPair ended = ConnectAndCarry())
        {
            ended.Client.Shutdown(SocketShutdown.Send);
            Assert.Empty(RelayedStreams.Receive(ended.Server, 1));
            ended.Server.Shutdown(SocketShutdown.Send);
            Assert.Empty(RelayedStreams.Receive(ended.Client, 1));
        }

        Assert.Equal(pairs.Length, await StartCutAsync());
        foreach (StreamPair pair in pairs)
        {
            AssertReset(pair.Client);
            AssertReset(pair.Server);
            pair.Dispose();
        }

        Assert.Equal(0, await StartCutAsync());
    }

    [Fact]
    public async Task A_connection_whose_one_direction_has_ended_is_reset_too()
    {
        using StreamPair pair = ConnectAndCarry();
        pair.Client.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedStreams.Receive(pair.Server, 1));
        Assert.Equal(1, await StartCutAsync());
        AssertReset(pair.Client);

        // The server has seen the end of the stream, so only a send tells it of the reset.
        Assert.Throws<SocketException>(() => pair.Server.Send([1]));
    }

    [Fact]
    public async Task New_connections_fail_at_once_within_a_cut_and_are_accepted_after_it_on_the_same_port()
    {
        const int Cuts = 10;
        for (int cut = 0; cut < Cuts; cut++)
        {
            using StreamPair pair = ConnectAndCarry();
            Assert.Equal(1, await StartCutAsync());
            foreach (int _ in Enumerable.Range(0, 20))
            {
                using Socket refused = RelayedStreams.Open();
                var exception = Assert.Throws<SocketException>(() =>
                {
                    refused.Connect(_relay.Listener.EndPoint);
                    RelayedStreams.Receive(refused, 1);
                });

                // Elsewhere the port cannot be kept without a listening socket, so the connection is accepted and reset.
                Assert.Equal(OperatingSystem.IsLinux() ? SocketError.ConnectionRefused : SocketError.ConnectionReset, exception.SocketErrorCode);
            }

            await _relay.OnLoopAsync(_relay.Listener.EndCut);
        }

        using StreamPair last = ConnectAndCarry();
        Assert.Equal(Cuts + 1, _relay.Listener.Clients);
    }

    [Fact]
    public async Task A_client_that_has_connected_but_was_not_accepted_yet_sees_an_error()
    {
        using Socket client = RelayedStreams.Open();
        await _relay.OnLoopAsync(() =>
        {
            // The loop is here, so it does not accept.
            client.Connect(_relay.Listener.EndPoint);
            _relay.Listener.StartCut();
        });
        AssertReset(client);
    }

    [Fact]
    public async Task Bytes_in_the_relay_are_gone_and_counted_and_a_new_connection_has_only_its_own()
    {
        const int Size = 1_000_000;
        using StreamPair cut = ConnectAndCarry();
        Task sending = Task.Run(() => Assert.Throws<SocketException>(() => SendForever(cut.Client)), TestContext.Current.CancellationToken);
        RelayDirectionCounts? last = null;
        await Wait.UntilAsync(
            async () =>
            {
                // Until the buffers of the receiver are full, the relay has bytes only for a moment.
                (RelayDirectionCounts? before, last) = (last, await CountAsync());
                return last.Stream!.Bytes >= Size && last.Received > last.Forwarded && last == before;
            },
            "the relay keeps bytes that its receiver does not read");
        Assert.Equal(1, await StartCutAsync());
        await sending;
        await _relay.OnLoopAsync(_relay.Listener.EndCut);
        using StreamPair after = _relay.Connect();
        byte[] bytes = RelayedStreams.Pattern(1, Size);
        Task sendingAgain = Task.Run(
            () =>
            {
                after.Client.Send(bytes);
                after.Client.Shutdown(SocketShutdown.Send);
            },
            TestContext.Current.CancellationToken);
        Assert.True(RelayedStreams.Receive(after.Server, Size + 1).AsSpan().SequenceEqual(bytes));
        await sendingAgain;
        await Wait.UntilAsync(async () => await CountAsync() is var counts && counts.Received == counts.Forwarded + counts.Overflowed, "nothing is under way");
        RelayDirectionCounts total = await CountAsync();
        Assert.InRange(total.Overflowed, 1, total.Received - 1);
        Assert.InRange(total.Stream!.ForwardedBytes, Size + 1, total.Stream.Bytes - 1);
    }

    [Fact]
    [Trait("Category", "Leak")]
    public async Task Cuts_leave_no_descriptor_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux lists a process' descriptors as files.");

        // Other tests may open descriptors at the same time; a leak would be at least as large as the number of connections.
        const int Cuts = 20;
        const int Connections = 50;
        const int OfOthers = 500;
        int before = LeakTests.Descriptors();
        for (int cut = 0; cut < Cuts; cut++)
        {
            StreamPair[] pairs = [.. Enumerable.Range(0, Connections).Select(_ => _relay.Connect())];
            Assert.Equal(Connections, await StartCutAsync());
            await _relay.OnLoopAsync(_relay.Listener.EndCut);
            Array.ForEach(pairs, pair => pair.Dispose());
        }

        await Wait.UntilAsync(() => Task.FromResult(LeakTests.Descriptors() < before + OfOthers), $"fewer than {before} + {OfOthers} descriptors are open");
    }

    [Fact]
    public async Task A_relay_that_ends_within_a_cut_frees_its_port()
    {
        await StartCutAsync();
        await _relay.Loop.StopAsync(RelayedStreams.Deadline);
        _relay.Listener.Dispose();
        using Socket next = RelayedStreams.Open();
        next.Bind(_relay.Listener.EndPoint);
        next.Listen();
    }

    public ValueTask DisposeAsync() => _relay.DisposeAsync();

    private static void SendForever(Socket socket)
    {
        byte[] piece = RelayedStreams.Pattern(2, 100_000);
        while (true)
        {
            socket.Send(piece);
        }
    }

    private static void AssertReset(Socket socket) =>
        Assert.Equal(SocketError.ConnectionReset, Assert.Throws<SocketException>(() => RelayedStreams.Receive(socket, 1)).SocketErrorCode);

    private StreamPair ConnectAndCarry()
    {
        StreamPair pair = _relay.Connect();
        pair.Client.Send([1]);
        Assert.Single(RelayedStreams.Receive(pair.Server, 1));
        return pair;
    }

    private async Task<int> StartCutAsync()
    {
        int reset = -1;
        await _relay.OnLoopAsync(() => reset = _relay.Listener.StartCut());
        return reset;
    }

    private async Task<RelayDirectionCounts> CountAsync()
    {
        RelayDirectionCounts? counts = null;
        await _relay.OnLoopAsync(() => counts = _relay.Traffic.ToServer.Count(missed: null));
        return counts!;
    }
}

/// <summary>The times at which a relay cuts its connections, as a client sees them. A busy machine can only add time.</summary>
public sealed class StreamCutTimeTests
{
    [Fact]
    public async Task Cuts_are_not_shorter_than_requested_and_not_before_the_end_of_their_period()
    {
        const int Cuts = 10;
        var cut = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(60));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        using var recorder = new RunRecorder();
        using Socket server = RelayedStreams.Open();
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        server.Listen();
        Task echoing = EchoAsync(server, end.Token);
        await using Relay relay = Relay.Start(RelayedStreams.SetupOf(new ImpairmentPlan { Cut = cut }, (IPEndPoint)server.LocalEndPoint!, recorder));
        long begin = Stopwatch.GetTimestamp();
        await relay.BeginAsync();
        (int seen, bool isCut, long lastEcho) = (0, false, begin);
        while (seen < Cuts)
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < RelayedStreams.Deadline, $"Only {seen} cuts came.");
            using Socket client = RelayedStreams.Open();
            try
            {
                client.Connect(relay.EndPoint);
                while (true)
                {
                    long sent = Stopwatch.GetTimestamp();
                    client.Send([1]);
                    Assert.Single(RelayedStreams.Receive(client, 1));
                    Assert.True(!isCut || Stopwatch.GetElapsedTime(lastEcho) >= cut.Length, $"Cut {seen} took only {Stopwatch.GetElapsedTime(lastEcho)}.");
                    (isCut, lastEcho) = (false, sent);
                }
            }
            catch (SocketException)
            {
                // Each echo between two errors is outside of a cut, so the second one is of another cut.
                seen += isCut ? 0 : 1;
                isCut = true;
                Assert.InRange(Stopwatch.GetElapsedTime(begin), cut.Period * seen, TimeSpan.MaxValue);
            }
        }

        RelayCounts counts = await relay.CountAsync();
        Assert.InRange(counts.Cuts, Cuts, long.MaxValue);
        Assert.InRange(counts.ResetConnections, 1, counts.Clients);
        Assert.False(recorder.Fault.IsCompleted);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => echoing);
    }

    [Fact]
    public async Task Nothing_is_cut_before_Begin_and_after_End()
    {
        var cut = new Interruption(TimeSpan.FromMilliseconds(5), TimeSpan.FromMilliseconds(10));
        await using var streams = new RelayedStreams(new ImpairmentPlan { Cut = cut });
        using StreamPair before = streams.Connect();
        await CarryAsync(before);
        Assert.Equal((0, 0), await CutsAsync());
        await streams.Relay.BeginAsync();
        await Wait.UntilAsync(async () => (await streams.Relay.CountAsync()).Cuts >= 3, "three cuts came");
        Assert.Throws<SocketException>(() => RelayedStreams.Receive(before.Client, 1));
        await streams.Relay.EndAsync();
        (long cuts, long reset) = await CutsAsync();
        Assert.Equal(1, reset);
        using StreamPair after = streams.Connect();
        await CarryAsync(after);
        Assert.Equal((cuts, 1), await CutsAsync());
        await streams.Relay.DisposeAsync();
        Assert.Equal((cuts, 1), await CutsAsync());

        async Task<(long Cuts, long Reset)> CutsAsync() => await streams.Relay.CountAsync() is var counts ? (counts.Cuts, counts.ResetConnections) : default;

        async Task CarryAsync(StreamPair pair)
        {
            for (int period = 0; period < 5; period++)
            {
                await Task.Delay(cut.Period, TestContext.Current.CancellationToken);
                pair.Client.Send([1]);
                Assert.Single(RelayedStreams.Receive(pair.Server, 1));
            }
        }
    }

    // Connections come one after the other. Each ends by a cut.
    private static async Task EchoAsync(Socket listener, CancellationToken end)
    {
        byte[] bytes = new byte[1];
        while (true)
        {
            using Socket connection = await listener.AcceptAsync(end);
            try
            {
                while (await connection.ReceiveAsync(bytes, end) > 0)
                {
                    await connection.SendAsync(bytes, end);
                }
            }
            catch (SocketException)
            {
                continue;
            }
        }
    }
}
