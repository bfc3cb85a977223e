namespace NetCoreNetworkBenchmark.Tests.Libraries.Streams;

/// <summary>A fault of one connection ends that connection with one error, and nothing else, in every library with streams.</summary>
public sealed class StreamFaultTests
{
    private const string WrongLength = "received a message of an invalid length";
    private const string NetCoreServer = "NetCoreServer";

    public static IEnumerable<TheoryDataRow<string>> TcpServers() => Over(LibraryUnderTest.OverTcp(), Protocol.Tcp);

    public static IEnumerable<TheoryDataRow<string>> TcpClients() => Over(LibraryUnderTest.ClientsOverTcp(), Protocol.Tcp);

    public static IEnumerable<TheoryDataRow<string>> PlainTcpClients() => TcpClients().Where(row => LibraryUnderTest.HasPlainStream(row.Data));

    /// <summary>With the size of a message. NetCoreServer receives even if its answers are not read, so it ends the connection instead.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, int>> ServersThatWait() =>
        from row in LibraryUnderTest.OverTcp()
        where row.Data.Item1 != NetCoreServer
        from size in (int[])[StreamService.Size, 32 * 1024]
        select new TheoryDataRow<string, Protocol, int>(row.Data.Item1, row.Data.Item2, size);

    public static IEnumerable<TheoryDataRow<string, Protocol>> ServersThatDoNotWait() =>
        LibraryUnderTest.OverTcp().Where(row => row.Data.Item1 == NetCoreServer);

    /// <summary>With the error of a reset; null for none. NetCoreServer does not report a reset (its SendError ignores it), so only the end is known.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string?>> Resets() =>
        from row in LibraryUnderTest.OverTcp()
        let error = row.Data.Item2 == Protocol.Ssl ? "server TLS handshake failed: " : row.Data.Item1 == NetCoreServer ? null : "server ConnectionReset"
        select new TheoryDataRow<string, Protocol, string?>(row.Data.Item1, row.Data.Item2, error);

    /// <summary>The reason that a client reports; {0} is the address. NetCoreServer does not report a refusal, so only the end is known.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Refusals() =>
        from row in TcpClients()
        select new TheoryDataRow<string, string>(row.Data, row.Data switch
        {
            "Epoll" => "no server listens at {0}",
            NetCoreServer => "the server refused the connection or ended it",
            _ => "{0} cannot be reached: ConnectionRefused",
        });

    [Theory, MemberData(nameof(LibraryUnderTest.OverTcp), MemberType = typeof(LibraryUnderTest))]
    public async Task A_length_that_cannot_be_ends_its_connection_and_no_other(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol, plan => plan with { Framing = Framing.Length });
        await using Stream good = await service.ConnectAsync();
        byte[] message = service.Framed([1, 2, 3]);
        Assert.Equal(message, await StreamService.ExchangeAsync(good, message));
        byte[][] bads = [[0, 0, 0, 0], [0, 0, 0, StreamService.Size + 1, 1], [255, 255, 255, 255, 1, 2, 3], [127, 0, 0, 0, 1], [.. "GET "u8]];
        foreach (byte[] bad in bads)
        {
            await using Stream stream = await service.ConnectAsync();
            await stream.WriteAsync(bad, TestContext.Current.CancellationToken);
            await StreamService.ReadToEndAsync(stream);
        }

        Assert.Equal(message, await StreamService.ExchangeAsync(good, message));
        await service.Handler.Closed.ReachesAsync(bads.Length, "closes seen by the server");
        Assert.Equal(KeyValuePair.Create($"server {WrongLength}", (long)bads.Length), Assert.Single(service.Recorder.Errors()));
    }

    // The limit of descriptors is read for each connection from the 65th on. It is held for so long that a second connection would reach it.
    [Theory, MemberData(nameof(TcpServers))]
    public async Task A_server_accepts_no_connection_before_it_has_refused_the_one_before(string library)
    {
        const int Refused = 20;
        var (refused, together, inside) = (new Tally(), new Tally(), 0);
        INetworkBenchmark created = LibraryUnderTest.Create(library);
        await using var service = new StreamService(library, Protocol.Tcp, start: setup => created.StartServer(setup with { MaxConnections = MaxConnections }));
        Socket[] sockets = [.. Enumerable.Range(0, 64 + Refused).Select(_ => new Socket(SocketType.Stream, ProtocolType.Tcp))];
        await Task.WhenAll(sockets.Select(socket => socket.ConnectAsync(service.EndPoint)));
        await refused.ReachesAsync(Refused, "connections that were refused");
        Assert.Equal(0, together.Count);
        Array.ForEach(sockets, socket => socket.Dispose());

        int MaxConnections()
        {
            if (Interlocked.Increment(ref inside) > 1)
            {
                together.Add();
            }

            SpinWait.SpinUntil(() => Volatile.Read(ref inside) > 1, TimeSpan.FromMilliseconds(20));
            Interlocked.Decrement(ref inside);
            refused.Add();
            return 0;
        }
    }

    [Theory, MemberData(nameof(LibraryUnderTest.OverTcp), MemberType = typeof(LibraryUnderTest))]
    public async Task What_came_before_a_wrong_length_is_answered(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol, plan => plan with { Framing = Framing.Length });
        await using Stream stream = await service.ConnectAsync();
        byte[] message = service.Framed([7, 8]);
        await stream.WriteAsync((byte[])[.. message, 9, 9, 9, 9], TestContext.Current.CancellationToken);
        Assert.Equal(message, await StreamService.ReadAsync(stream, message.Length));
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
    }

    [Theory, MemberData(nameof(LibraryUnderTest.OverTcp), MemberType = typeof(LibraryUnderTest))]
    public async Task A_connection_that_ends_within_a_message_is_counted_and_one_that_ends_between_messages_is_not(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol);
        await using (Stream stream = await service.ConnectAsync())
        {
            await stream.WriteAsync(new byte[StreamService.Size - 1], TestContext.Current.CancellationToken);
        }

        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");

        // A close between messages is no error.
        await service.AssertServesAsync();
        await service.Handler.Closed.ReachesAsync(1, "close of another connection seen by the server");
        await service.AssertOnlyErrorAsync("server received part of a message");
    }

    [Theory, MemberData(nameof(TcpServers))]
    public async Task A_client_that_ends_its_half_gets_its_answer_and_the_end(string library)
    {
        await using var service = new StreamService(library, Protocol.Tcp);
        await using NetworkStream stream = await service.ConnectPlainAsync();
        await stream.WriteAsync(new byte[StreamService.Size], TestContext.Current.CancellationToken);
        stream.Socket.Shutdown(SocketShutdown.Send);
        await stream.ReadExactlyAsync(new byte[StreamService.Size], TestContext.Current.CancellationToken);
        Assert.Equal(0, await stream.ReadAsync(new byte[1], TestContext.Current.CancellationToken));
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        Assert.Empty(service.Recorder.Errors());
    }

    [Theory, MemberData(nameof(LibraryUnderTest.OverTcp), MemberType = typeof(LibraryUnderTest))]
    public async Task Messages_that_come_byte_by_byte_are_put_together(string library, Protocol protocol)
    {
        await using var service = new StreamService(library, protocol);
        await using Stream stream = await service.ConnectAsync();
        byte[] message = [.. Enumerable.Range(0, StreamService.Size).Select(number => (byte)number)];
        foreach (byte one in message[..^1])
        {
            await stream.WriteAsync((byte[])[one], TestContext.Current.CancellationToken);
        }

        await stream.WriteAsync((byte[])[message[^1]], TestContext.Current.CancellationToken);
        Assert.Equal(message, await StreamService.ReadAsync(stream, message.Length));
    }

    // The kernel buffers a few MiB for both directions. More is sent only if the server accepts it without limit.
    [Theory, MemberData(nameof(ServersThatWait)), Trait("Category", "Long")]
    public async Task A_client_that_sends_and_does_not_read_is_not_read_from_without_end_and_others_are_served_on(
        string library, Protocol protocol, int messageSize)
    {
        const int Portion = 64 * 1024;
        await using var service = new StreamService(library, protocol, plan => plan with { MessageSize = messageSize });
        await using Stream deaf = await service.ConnectAsync();
        byte[] portion = new byte[Portion];
        new Random(1).NextBytes(portion);
        await service.AssertHoldsBackAsync(
            Portion, () => deaf.WriteAsync(portion, TestContext.Current.CancellationToken).AsTask(),
            async () => Assert.True((await StreamService.ReadAsync(deaf, Portion)).AsSpan().SequenceEqual(portion)));
    }

    // The server holds a bounded number of bytes for a connection, and ends the connection when more would wait.
    [Theory(SkipTestWithoutData = true), MemberData(nameof(ServersThatDoNotWait))]
    public async Task A_client_that_sends_and_does_not_read_is_ended_and_others_are_served_on(string library, Protocol protocol)
    {
        const int MessageSize = 32 * 1024;
        await using var service = new StreamService(library, protocol, plan => plan with { MessageSize = MessageSize });
        await using Stream deaf = await service.ConnectAsync();
        await Assert.ThrowsAnyAsync<IOException>(
            () => SendAsync(deaf, new byte[MessageSize], messages: 4 * 1024).WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        await service.AssertServesAsync();
        await service.AssertOnlyErrorAsync("server NoBufferSpaceAvailable");
    }

    [Theory, MemberData(nameof(Resets))]
    public async Task A_reset_ends_its_connection_and_no_other_and_is_counted_by_its_name(string library, Protocol protocol, string? error)
    {
        await using var service = new StreamService(library, protocol);
        await using Stream good = await service.ConnectAsync();
        await service.Handler.Connected.ReachesAsync(1, "client seen by the server");
        await service.ConnectAndResetAsync(
            () => protocol == Protocol.Tcp ? service.Handler.Connected.ReachesAsync(1, "second client seen by the server") : Task.CompletedTask);
        if (protocol == Protocol.Tcp)
        {
            await service.Handler.Closed.ReachesAsync(1, "close seen by the server");
        }

        byte[] message = new byte[StreamService.Size];
        Assert.Equal(message, await StreamService.ExchangeAsync(good, message));
        if (error is null)
        {
            Assert.Empty(service.Recorder.Errors());
        }
        else
        {
            await service.AssertOnlyErrorAsync(error);
        }
    }

    [Theory, MemberData(nameof(LibraryUnderTest.ClientsOverTcp), MemberType = typeof(LibraryUnderTest))]
    public async Task Clients_whose_server_is_gone_count_it(string library, Protocol protocol)
    {
        const int Clients = 3;
        await using var service = new StreamService(library, protocol, plan => plan with { Clients = Clients });
        RunRecorder recorder = service.ClientRecorder;
        await using IClientGroup clients = await service.ConnectClientsAsync(handler: new PingPong().CreateClientHandler(service.Plan, recorder));
        recorder.Enter(RunPhase.Measure);

        // A server that closes before it has read the end of a handshake resets the connection.
        await service.Handler.Connected.ReachesAsync(Clients, "clients seen by the server");
        await service.StopAsync();
        await Wait.UntilAsync(() => recorder.Errors().GetValueOrDefault("client lost its server") == Clients, () => "errors of all clients");
        Assert.Single(recorder.Errors());
    }

    [Theory, MemberData(nameof(PlainTcpClients))]
    public async Task A_server_that_sends_garbage_loses_its_client(string library)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var service = new StreamService(library, Protocol.Tcp, plan => plan with { Framing = Framing.Length });
        Task<IClientGroup> connecting = LibraryUnderTest.Create(library).ConnectAsync(
            service.CreateClientSetup(service.Client) with { EndPoint = (IPEndPoint)listener.LocalEndpoint }, TestContext.Current.CancellationToken);
        using Socket server = await listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
        await using IClientGroup clients = await connecting;
        server.Send([0x80, 0, 0, 0]);
        await service.Client.Closed.ReachesAsync(1, "closes seen by the client");
        Assert.Equal(KeyValuePair.Create($"client {WrongLength}", 1L), Assert.Single(service.ClientRecorder.Errors()));
    }

    [Theory, MemberData(nameof(Refusals))]
    public async Task ConnectAsync_fails_at_once_when_no_server_listens(string library, string reason)
    {
        // Bound, so that no other test is given the port.
        using var closed = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        closed.Bind(Setups.AnyPort);
        await using var session = new LibrarySession(LibraryUnderTest.Create(library), Protocol.Tcp, clients: 1, StreamService.Size);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => session.ConnectAsync((IPEndPoint)closed.LocalEndPoint!));
        Assert.Equal($"A client could not connect: {string.Format(null, reason, closed.LocalEndPoint)}.", exception.Message);
    }

    private static IEnumerable<TheoryDataRow<string>> Over(IEnumerable<TheoryDataRow<string, Protocol>> rows, Protocol protocol) =>
        from row in rows
        where row.Data.Item2 == protocol
        select new TheoryDataRow<string>(row.Data.Item1);

    private static async Task SendAsync(Stream stream, byte[] message, int messages)
    {
        for (int number = 0; number < messages; number++)
        {
            await stream.WriteAsync(message, TestContext.Current.CancellationToken);
        }
    }
}
