namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The effect of a relay on the bytes and the connections that arrive at it.</summary>
public sealed class ConnectionRelayTests
{
    private const int Megabyte = 1024 * 1024;

    [Fact]
    public async Task Every_byte_arrives_in_its_order()
    {
        const int Size = 4 * Megabyte;
        await using var relayed = new RelayedConnections();
        using ConnectionPair pair = relayed.Connect();
        byte[] request = RelayedConnections.Pattern(1, Size);
        byte[] answer = RelayedConnections.Pattern(2, Size);
        Task sending = SendInPiecesAsync(pair.Client, request);
        Task answering = SendInPiecesAsync(pair.Server, answer);
        Task<byte[]> received = Task.Run(() => RelayedConnections.Receive(pair.Server, Size), TestContext.Current.CancellationToken);
        Assert.True(RelayedConnections.Receive(pair.Client, Size).AsSpan().SequenceEqual(answer));
        Assert.True((await received).AsSpan().SequenceEqual(request));
        await Task.WhenAll(sending, answering);
    }

    [Theory, InlineData(1, 1), InlineData(300, 1_000), InlineData(20, 300_000)]
    public async Task Many_clients_have_a_connection_each(int clients, int size)
    {
        await using var relayed = new RelayedConnections();
        ConnectionPair[] pairs = [.. Enumerable.Range(0, clients).Select(_ => relayed.Connect())];
        Task[] sending = [.. pairs.Select((pair, number) => pair.Client.SendAsync(RelayedConnections.Pattern(number, size)))];
        Array.ForEach(pairs, pair => pair.Server.Send(RelayedConnections.Receive(pair.Server, size)));
        foreach ((int number, ConnectionPair pair) in pairs.Index())
        {
            Assert.Equal(RelayedConnections.Pattern(number, size), RelayedConnections.Receive(pair.Client, size));
            pair.Dispose();
        }

        await Task.WhenAll(sending);
        Assert.Equal(clients, (await relayed.Relay.CountAsync()).Clients);
    }

    [Fact]
    public async Task A_client_that_sends_and_ends_at_once_has_its_answer()
    {
        await using var relayed = new RelayedConnections();
        for (int number = 0; number < 50; number++)
        {
            using ConnectionPair pair = relayed.Connect(atOnce: [1]);
            Assert.Equal([1], RelayedConnections.Receive(pair.Server, 2));
            RelayedConnections.SendAndEnd(pair.Server, [2]);
            Assert.Equal([2], RelayedConnections.Receive(pair.Client, 2));
        }
    }

    [Fact]
    public async Task Receiver_that_does_not_read_stops_only_its_own_sender()
    {
        await using var relayed = new RelayedConnections();
        using ConnectionPair stuck = relayed.Connect();
        using ConnectionPair other = relayed.Connect();
        stuck.Client.Blocking = false;
        byte[] piece = RelayedConnections.Pattern(1, 64 * 1024);
        long accepted = 0;
        SocketError error = SocketError.Success;

        // The buffers of the sockets and of the relay fill up.
        await Wait.UntilAsync(
            () =>
            {
                accepted += stuck.Client.Send(piece, SocketFlags.None, out error);
                return error == SocketError.WouldBlock && !stuck.Client.Poll(TimeSpan.FromMilliseconds(100), SelectMode.SelectWrite);
            },
            "the sender is held back");
        other.Client.Send(new byte[10]);
        Assert.Equal((10, accepted), (RelayedConnections.Receive(other.Server, 10).Length, RelayedConnections.Receive(stuck.Server, (int)accepted).Length));
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task An_end_is_passed_on_behind_the_last_byte_and_the_other_direction_goes_on(bool byClient)
    {
        await using var relayed = new RelayedConnections();
        using ConnectionPair pair = relayed.Connect();
        (Socket first, Socket last) = byClient ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
        byte[] bytes = RelayedConnections.Pattern(1, Megabyte);
        Task sending = Task.Run(() => RelayedConnections.SendAndEnd(first, bytes), TestContext.Current.CancellationToken);
        Assert.Equal(bytes, RelayedConnections.Receive(last, bytes.Length + 1));
        await sending;
        last.Send([1, 2, 3]);
        Assert.Equal([1, 2, 3], RelayedConnections.Receive(first, 3));
        last.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedConnections.Receive(first, 1));
    }

    [Fact]
    public async Task What_a_client_sent_before_it_closed_still_arrives_at_a_server_that_reads_late()
    {
        await using var relayed = new RelayedConnections();
        using ConnectionPair pair = relayed.Connect();
        byte[] bytes = RelayedConnections.Pattern(1, 8 * Megabyte);
        pair.Server.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedConnections.Receive(pair.Client, 1));
        Task sending = Task.Run(
            () =>
            {
                pair.Client.Send(bytes);
                pair.Client.Dispose();
            },
            TestContext.Current.CancellationToken);
        await Task.WhenAny(sending, Task.Delay(TimeSpan.FromMilliseconds(100), TestContext.Current.CancellationToken));
        Assert.True(RelayedConnections.Receive(pair.Server, bytes.Length + 1).AsSpan().SequenceEqual(bytes));
        await sending;
    }

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_connection_that_breaks_breaks_its_twin(bool byClient)
    {
        await using var relayed = new RelayedConnections();
        using ConnectionPair pair = relayed.Connect();
        (Socket first, Socket last) = byClient ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
        first.Send([1]);
        Assert.Single(RelayedConnections.Receive(last, 1));
        first.Close(0);
        Assert.Equal(SocketError.ConnectionReset, Assert.Throws<SocketException>(() => RelayedConnections.Receive(last, 1)).SocketErrorCode);
        using ConnectionPair next = relayed.Connect();
        next.Client.Send([2]);
        Assert.Equal([2], RelayedConnections.Receive(next.Server, 1));
    }

    [Fact]
    public async Task A_server_that_is_not_there_closes_the_client_and_is_no_fault()
    {
        // Bound, so that nobody else is given the port. It does not listen.
        using Socket closed = RelayedConnections.Open();
        closed.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using var recorder = new RunRecorder();
        await using Relay relay = Relay.Start(RelayedConnections.SetupOf(new ImpairmentPlan(), (IPEndPoint)closed.LocalEndPoint!, recorder));
        foreach (int _ in Enumerable.Range(0, 3))
        {
            using Socket client = RelayedConnections.Open();
            Assert.Throws<SocketException>(() =>
            {
                client.Connect(relay.EndPoint);
                RelayedConnections.Receive(client, 1);
            });
        }

        await Wait.UntilAsync(async () => (await relay.CountAsync()).Clients == 3, "the relay has seen all");
        Assert.False(recorder.Fault.IsCompleted);
    }

    [Fact, Trait("Category", "Leak")]
    public async Task Connections_that_end_or_break_leave_no_descriptor_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux lists a process' descriptors as files.");

        // Other tests may open descriptors at the same time; a leak would be at least as large as the number of connections.
        const int Connections = 2_000;
        const int OfOthers = 500;
        await using var relayed = new RelayedConnections();
        int before = LeakTests.Descriptors();
        for (int number = 0; number < Connections; number++)
        {
            using ConnectionPair pair = relayed.Connect();
            (Socket first, Socket last) = number % 4 < 2 ? (pair.Client, pair.Server) : (pair.Server, pair.Client);
            if (number % 2 == 0)
            {
                first.Close(0);
                Assert.Throws<SocketException>(() => RelayedConnections.Receive(last, 1));
            }
            else
            {
                first.Dispose();
                Assert.Empty(RelayedConnections.Receive(last, 1));
            }
        }

        await Wait.UntilAsync(() => Task.FromResult(LeakTests.Descriptors() < before + OfOthers), $"fewer than {before} + {OfOthers} descriptors are open");
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
