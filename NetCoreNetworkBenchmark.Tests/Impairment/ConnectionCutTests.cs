using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Tests.Impairment;

/// <summary>The effect of a cut on connections through a relay. The test starts and ends the cuts itself, so that no time matters.</summary>
public sealed class ConnectionCutTests : IDisposable
{
    private readonly CutConnections _relay = new();

    public ConnectionCutTests() => _relay.Listener.Begin();

    [Fact]
    public void A_cut_resets_every_connection_at_both_ends_and_counts_it_once()
    {
        ConnectionPair[] pairs = [.. Enumerable.Range(0, 20).Select(_ => ConnectAndCarry())];
        using (ConnectionPair ended = ConnectAndCarry())
        {
            ended.Client.Shutdown(SocketShutdown.Send);
            Assert.Empty(RelayedConnections.Receive(ended.Server, 1));
            ended.Server.Shutdown(SocketShutdown.Send);
            Assert.Empty(RelayedConnections.Receive(ended.Client, 1));
        }

        Assert.Equal(pairs.Length, _relay.Listener.StartCut());
        foreach (ConnectionPair pair in pairs)
        {
            AssertReset(pair.Client);
            AssertReset(pair.Server);
            pair.Dispose();
        }

        Assert.Equal(0, _relay.Listener.StartCut());
    }

    [Fact]
    public void A_connection_whose_one_direction_has_ended_is_reset_too()
    {
        using ConnectionPair pair = ConnectAndCarry();
        pair.Client.Shutdown(SocketShutdown.Send);
        Assert.Empty(RelayedConnections.Receive(pair.Server, 1));
        Assert.Equal(1, _relay.Listener.StartCut());
        AssertReset(pair.Client);

        // The server has seen the end of the stream, so only a send tells it of the reset.
        Assert.Throws<SocketException>(() => pair.Server.Send([1]));
    }

    [Fact]
    public void New_connections_fail_at_once_within_a_cut_and_are_accepted_after_it_on_the_same_port()
    {
        const int Cuts = 10;
        for (int cut = 0; cut < Cuts; cut++)
        {
            using ConnectionPair pair = ConnectAndCarry();
            Assert.Equal(1, _relay.Listener.StartCut());
            foreach (int _ in Enumerable.Range(0, 20))
            {
                using Socket refused = RelayedConnections.Open();
                var exception = Assert.Throws<SocketException>(() =>
                {
                    refused.Connect(_relay.Listener.EndPoint);
                    RelayedConnections.Receive(refused, 1);
                });

                // Elsewhere the port cannot be kept without a listening socket, so the connection is accepted and reset.
                Assert.Equal(OperatingSystem.IsLinux() ? SocketError.ConnectionRefused : SocketError.ConnectionReset, exception.SocketErrorCode);
            }

            _relay.Listener.EndCut();
        }

        using ConnectionPair last = ConnectAndCarry();
        Assert.Equal(Cuts + 1, _relay.Listener.Clients);
    }

    [Fact]
    public void A_client_that_has_connected_but_was_not_accepted_yet_sees_an_error()
    {
        using var relay = new CutConnections();
        using Socket client = RelayedConnections.Open();
        client.Connect(relay.Listener.EndPoint);
        relay.Listener.StartCut();
        AssertReset(client);
    }

    [Fact]
    public async Task Bytes_in_the_relay_are_gone_and_a_new_connection_has_only_its_own()
    {
        const int Size = 1_000_000;
        using ConnectionPair cut = ConnectAndCarry();
        long sent = 0;
        Task sending = Task.Run(() => Assert.Throws<SocketException>(SendForever), TestContext.Current.CancellationToken);
        await Wait.UntilAsync(() => Volatile.Read(ref sent) >= Size, "the relay has bytes that their receiver does not read");
        Assert.Equal(1, _relay.Listener.StartCut());
        await sending;
        _relay.Listener.EndCut();
        using ConnectionPair after = _relay.Connect();
        byte[] bytes = RelayedConnections.Pattern(1, Size);
        Task sendingAgain = Task.Run(() => RelayedConnections.SendAndEnd(after.Client, bytes), TestContext.Current.CancellationToken);
        Assert.True(RelayedConnections.Receive(after.Server, Size + 1).AsSpan().SequenceEqual(bytes));
        await sendingAgain;

        void SendForever()
        {
            byte[] piece = RelayedConnections.Pattern(2, 100_000);
            while (true)
            {
                Interlocked.Add(ref sent, cut.Client.Send(piece));
            }
        }
    }

    [Fact, Trait("Category", "Leak")]
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
            ConnectionPair[] pairs = [.. Enumerable.Range(0, Connections).Select(_ => _relay.Connect())];
            Assert.Equal(Connections, _relay.Listener.StartCut());
            _relay.Listener.EndCut();
            Array.ForEach(pairs, pair => pair.Dispose());
        }

        await Wait.UntilAsync(() => Task.FromResult(LeakTests.Descriptors() < before + OfOthers), $"fewer than {before} + {OfOthers} descriptors are open");
    }

    [Fact]
    public void A_relay_that_ends_within_a_cut_frees_its_port()
    {
        _relay.Listener.StartCut();
        _relay.Listener.Dispose();
        using Socket next = RelayedConnections.Open();
        next.Bind(_relay.Listener.EndPoint);
        next.Listen();
    }

    public void Dispose() => _relay.Dispose();

    private static void AssertReset(Socket socket) =>
        Assert.Equal(SocketError.ConnectionReset, Assert.Throws<SocketException>(() => RelayedConnections.Receive(socket, 1)).SocketErrorCode);

    private ConnectionPair ConnectAndCarry()
    {
        ConnectionPair pair = _relay.Connect();
        pair.Client.Send([1]);
        Assert.Single(RelayedConnections.Receive(pair.Server, 1));
        return pair;
    }
}

/// <summary>The times at which a relay cuts its connections, as a client sees them. A busy machine can only add time.</summary>
public sealed class ConnectionCutTimeTests
{
    [Fact]
    public async Task Cuts_are_not_shorter_than_requested_and_not_before_the_end_of_their_period()
    {
        const int Cuts = 10;
        var cut = new Interruption(TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(60));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        using var recorder = new RunRecorder();
        using Socket server = RelayedConnections.Listen();
        Task echoing = EchoAsync(server, end.Token);
        await using Relay relay = Relay.Start(RelayedConnections.SetupOf(new ImpairmentPlan { Cut = cut }, (IPEndPoint)server.LocalEndPoint!, recorder));
        long begin = Stopwatch.GetTimestamp();
        await relay.BeginAsync();
        (int seen, bool isCut, long lastEcho) = (0, false, begin);
        while (seen < Cuts)
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < RelayedConnections.Deadline, $"Only {seen} cuts came.");
            using Socket client = RelayedConnections.Open();
            try
            {
                client.Connect(relay.EndPoint);
                while (true)
                {
                    long sent = Stopwatch.GetTimestamp();
                    client.Send([1]);
                    Assert.Single(RelayedConnections.Receive(client, 1));
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
        await using var streams = new RelayedConnections(new ImpairmentPlan { Cut = cut });
        using ConnectionPair before = streams.Connect();
        await CarryAsync(before);
        Assert.Equal((0, 0), await CutsAsync());
        await streams.Relay.BeginAsync();
        await Wait.UntilAsync(async () => (await streams.Relay.CountAsync()).Cuts >= 3, "three cuts came");
        Assert.Throws<SocketException>(() => RelayedConnections.Receive(before.Client, 1));
        await streams.Relay.EndAsync();
        (long cuts, long reset) = await CutsAsync();
        Assert.Equal(1, reset);
        using ConnectionPair after = streams.Connect();
        await CarryAsync(after);
        Assert.Equal((cuts, 1), await CutsAsync());
        await streams.Relay.DisposeAsync();
        Assert.Equal((cuts, 1), await CutsAsync());

        async Task<(long Cuts, long Reset)> CutsAsync() => await streams.Relay.CountAsync() is var counts ? (counts.Cuts, counts.ResetConnections) : default;

        async Task CarryAsync(ConnectionPair pair)
        {
            for (int period = 0; period < 5; period++)
            {
                await Task.Delay(cut.Period, TestContext.Current.CancellationToken);
                pair.Client.Send([1]);
                Assert.Single(RelayedConnections.Receive(pair.Server, 1));
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

public sealed partial class ListenerCloseTests
{
    [Fact]
    public void Close_refuses_new_connections_although_a_copy_of_the_descriptor_is_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux ends a socket that listens by shutdown(2).");
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        listener.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        EndPoint endPoint = listener.LocalEndPoint!;

        // Keeps the port without listening, so that nobody else is given it when the listener has ended.
        using var holder = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        holder.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        holder.Bind(endPoint);
        listener.Listen();

        // As a process has it between fork and exec.
        using var copy = new SafeFileHandle(Duplicate((int)listener.Handle), ownsHandle: true);
        Assert.False(copy.IsInvalid);
        ConnectionListener.Close(listener);
        ConnectionListener.Close(listener);
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        Assert.Equal(SocketError.ConnectionRefused, Assert.ThrowsAny<SocketException>(() => client.Connect(endPoint)).SocketErrorCode);
    }

    [LibraryImport("libc", EntryPoint = "dup")]
    private static partial int Duplicate(int descriptor);
}
