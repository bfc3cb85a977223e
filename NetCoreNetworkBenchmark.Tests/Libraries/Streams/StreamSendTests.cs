namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>What workloads send over a stream, in each way to send of every library with streams.</summary>
public sealed class StreamSendTests
{
    public static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> Clients() =>
        from row in LibraryUnderTest.WaysOverTcp()
        where LibraryUnderTest.ClientsOverTcp().Any(client => client.Data == (row.Data.Item1, row.Data.Item2))
        select row;

    public static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> TcpServers() =>
        LibraryUnderTest.WaysOverTcp().Where(row => row.Data is (_, Protocol.Tcp, Framing.Fixed, "message" or "receive"));

    // No event reports bytes that TLS has read from the socket and not yet passed on.
    [Theory, MemberData(nameof(LibraryUnderTest.WaysOverTcp), MemberType = typeof(LibraryUnderTest))]
    public async Task A_burst_that_is_longer_than_what_may_wait_is_answered_to_its_end(string library, Protocol protocol, Framing framing, string send)
    {
        const int Record = 16 * 1024;
        const int MessageSize = 1_000;
        using var arrived = new SemaphoreSlim(0);
        await using var service = new StreamService(library, protocol, plan => PlanOf(plan, framing, send) with { MessageSize = MessageSize });
        bool waits = false;
        service.Handler.Message = (peer, message) =>
        {
            if (Volatile.Read(ref waits))
            {
                Volatile.Write(ref waits, false);
                Assert.True(arrived.Wait(LibraryUnderTest.Deadline));
            }

            peer.Send(message);
        };
        await using Stream stream = await service.ConnectAsync();
        for (int records = 4; records <= 9; records++)
        {
            byte[] first = MessagesOf(framing, 1, MessageSize);
            byte[] burst = MessagesOf(framing, records * Record / first.Length, MessageSize);
            Volatile.Write(ref waits, true);
            await stream.WriteAsync(first, TestContext.Current.CancellationToken);
            await stream.WriteAsync(burst, TestContext.Current.CancellationToken);
            arrived.Release();
            byte[] answers = await StreamService.ReadAsync(stream, first.Length + burst.Length);
            Assert.Equal([.. first, .. burst], answers);
        }
    }

    [Theory, MemberData(nameof(Clients))]
    public async Task A_connection_that_was_closed_is_used_no_more(string library, Protocol protocol, Framing framing, string send)
    {
        const int Messages = 500;
        await using var service = new StreamService(library, protocol, plan => PlanOf(plan, framing, send));
        IPeer? closed = null;
        var (after, taken) = (new Tally(), new Tally());
        service.Client.Started = peer =>
        {
            for (int number = 0; number < Messages; number++)
            {
                peer.Send(new byte[StreamService.Size]);
            }
        };
        service.Client.Message = (peer, _) =>
        {
            // Other messages were received by the same call.
            after.Add();
            peer.Close();
            if (peer.Send(new byte[StreamService.Size]) || peer.IsCongested)
            {
                taken.Add();
            }

            peer.Wake();
            peer.Close();
            closed = peer;
        };
        await using IClientGroup clients = await service.ConnectClientsAsync();
        clients.Start();
        await service.Client.Closed.ReachesAsync(1, "closes seen by the client");

        // Requests after the end, and the turns in which they would be handled.
        clients.Start();
        await Task.Run(() => closed?.Wake(), TestContext.Current.CancellationToken);
        await service.Handler.Closed.ReachesAsync(1, "closes seen by the server");
        await service.AssertServesAsync();
        await clients.DisposeAsync();
        Assert.Equal((1, 0, 1), (after.Count, taken.Count, service.Client.Closed.Count));
        Assert.DoesNotContain(service.ClientRecorder.Errors(), error => error.Key != "client sent after the close");
        Assert.False(service.ClientRecorder.Fault.IsCompleted);
    }

    [Theory, MemberData(nameof(TcpServers))]
    public async Task Server_that_pushes_without_end_to_one_client_serves_the_others(string library, Protocol protocol, Framing framing, string send)
    {
        using var stopping = new CancellationTokenSource();
        await using var service = new StreamService(library, protocol, plan => PlanOf(plan, framing, send));
        service.Handler.Message = (peer, message) =>
        {
            if (message[0] == byte.MaxValue)
            {
                SendOn(peer);
            }
            else
            {
                peer.Send(message);
            }
        };
        service.Handler.Writable = SendOn;
        await using NetworkStream reader = await service.ConnectPlainAsync();
        reader.Write([.. Enumerable.Repeat(byte.MaxValue, StreamService.Size)]);
        Task<long> reading = Task.Run(() => ReadUntilAsync(reader, stopping.Token), TestContext.Current.CancellationToken);
        for (int client = 0; client < 5; client++)
        {
            await service.AssertServesAsync();
        }

        await stopping.CancelAsync();
        Assert.True(await reading.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken) > 0);

        static void SendOn(IPeer peer)
        {
            byte[] message = new byte[StreamService.Size];
            while (!peer.IsCongested && peer.Send(message))
            {
                // Sends as many messages as are accepted.
            }
        }
    }

    internal static RunPlan PlanOf(RunPlan plan, Framing framing, string send) =>
        plan with { Framing = framing, Settings = new Dictionary<string, string> { [StreamSendSetting.Setting.Name] = send } };

    /// <summary>Returns messages as they are on the stream. Without a fixed size they have different ones; the first is the longest.</summary>
    internal static byte[] MessagesOf(Framing framing, int count, int size)
    {
        var outbox = new Outbox(new RunPlan { Library = "none", Framing = framing, MessageSize = size });
        var random = new Random(count);
        for (int number = 0; number < count; number++)
        {
            byte[] message = new byte[framing == Framing.Fixed ? size : size - (number % (size / 2))];
            random.NextBytes(message);
            Assert.True(outbox.TryAdd(message));
        }

        return outbox.Next.ToArray();
    }

    private static async Task<long> ReadUntilAsync(Stream stream, CancellationToken stopping)
    {
        // The first bytes are waited for: on a busy machine the test may stop before this thread has read any.
        byte[] buffer = new byte[64 * 1024];
        long read = await stream.ReadAsync(buffer, TestContext.Current.CancellationToken);
        try
        {
            while (true)
            {
                read += await stream.ReadAsync(buffer, stopping);
            }
        }
        catch (OperationCanceledException)
        {
            return read;
        }
    }
}
