namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The requirements for every library in the build. A new library is tested without any change here.</summary>
public sealed class LibraryContractTests
{
    private const int SmallSize = 32;
    private const int MostUses = 3;

    public static IEnumerable<TheoryDataRow<string>> Names() => LibraryUnderTest.Names();

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => LibraryUnderTest.Transports();

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithServerThreads() => LibraryUnderTest.WithServerThreads();

    public static IEnumerable<TheoryDataRow<string, Protocol, Transmission>> Transmissions() => LibraryUnderTest.Transmissions();

    [Theory]
    [MemberData(nameof(Names))]
    public void Info_says_what_the_library_is(string name)
    {
        LibraryInfo info = LibraryUnderTest.Create(name).Info;
        Assert.Equal(name, info.Name);
        Assert.Matches("^[0-9]+[.][0-9]+", info.Version);
        Assert.NotEmpty(info.Protocols);
        Assert.Equal(info.CarriesMessages, info.Transmissions.Count > 0);
        Assert.All(info.Transmissions, offered => Assert.InRange(offered.OverheadBytes, 0, 100));
        Assert.All(info.Transmissions, offered => Assert.InRange(offered.LargestMessage, SmallSize, int.MaxValue));
        Assert.InRange(info.MostServerThreads ?? 1, 1, int.MaxValue);
        Assert.Distinct(info.Settings.Select(setting => setting.Name), StringComparer.OrdinalIgnoreCase);
        Assert.All(info.Settings, setting => Assert.Matches("^[A-Za-z][A-Za-z0-9-]*$", setting.Name));
        Assert.All(info.Settings, setting => Assert.Contains(setting.Default, setting.Values));
        Assert.All(info.Settings, setting => Assert.Distinct(setting.Values, StringComparer.OrdinalIgnoreCase));
        Assert.All(info.Settings, setting => Assert.Matches("[^ .]$", setting.Summary));
    }

    [Theory]
    [MemberData(nameof(WithServerThreads))]
    public Task Two_server_threads_name_a_port_that_is_in_use_also_by_two_others(string name, Protocol protocol) =>
        AssertNamesPortInUseAsync(name, protocol, serverThreads: 2);

    [Theory]
    [MemberData(nameof(Transmissions))]
    public async Task ConnectAsync_connects_all_clients_and_both_sides_see_each_once(string name, Protocol protocol, Transmission transmission)
    {
        const int Clients = 50;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize, transmission: transmission);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients seen by the server");
        Assert.Equal((Clients, Clients), (session.Server.Connected.Count, session.Client.Connected.Count));
        Assert.Equal((0, 0), (session.Server.Closed.Count, session.Client.Closed.Count));
        Assert.Empty(session.Recorder.Errors());
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_server_sees_clients_close(string name, Protocol protocol)
    {
        const int Clients = 5;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients seen by the server");
        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(Clients, "closes seen by the server");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task The_clients_see_the_server_close(string name, Protocol protocol)
    {
        const int Clients = 5;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(Clients, "clients seen by the server");
        await session.CloseServerAsync();
        await session.Client.Closed.ReachesAsync(Clients, "closes seen by the clients");
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Close_of_one_peer_is_seen_at_both_sides_and_leaves_the_others(string name, Protocol protocol)
    {
        const int Clients = 3;
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, Clients, SmallSize);
        int started = 0;
        session.Client.Started = peer =>
        {
            if (Interlocked.Increment(ref started) == 1)
            {
                peer.Close();
            }
        };
        await session.LoadAsync();
        await session.Server.Closed.ReachesAsync(1, "close seen by the server");
        await session.Client.Closed.ReachesAsync(1, "close seen by the client");
        Assert.Equal((1, 1), (session.Server.Closed.Count, session.Client.Closed.Count));
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task A_port_can_be_used_again_at_once(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        int uses = 0;

        // Another test may be given the port in between, but not every time.
        for (int attempt = 0; attempt < 5 && uses < MostUses; attempt++)
        {
            uses = await UsePortAgainAsync(library, protocol);
        }

        Assert.Equal(MostUses, uses);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Clients_see_the_end_of_their_server_and_the_one_that_is_started_in_its_place_serves_others(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        bool served = false;

        // Another test may be given the port in between, but not every time.
        for (int attempt = 0; attempt < 5 && !served; attempt++)
        {
            served = await RestartAsync(library, protocol);
        }

        Assert.True(served);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task Stopping_twice_is_fine(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 2, SmallSize);
        await session.StartAsync();
        await session.CloseClientsAsync();
        await session.CloseClientsAsync();
        await session.CloseServerAsync();
        await session.CloseServerAsync();
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public Task StartServer_names_a_port_that_is_in_use(string name, Protocol protocol) => AssertNamesPortInUseAsync(name, protocol, serverThreads: 1);

    private static async Task AssertNamesPortInUseAsync(string name, Protocol protocol, int serverThreads)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var first = new Session(library, protocol, clients: 1, SmallSize, serverThreads: serverThreads);
        await using var second = new Session(library, protocol, clients: 1, SmallSize, serverThreads: serverThreads);
        first.StartServer();
        var exception = Assert.Throws<BenchmarkException>(() => second.StartServer(first.EndPoint.Port));
        Assert.Contains($"Port {first.EndPoint.Port} of 127.0.0.1 is in use", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task ConnectAsync_reports_how_many_connected_when_no_server_answers(string name, Protocol protocol)
    {
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var session = new Session(library, protocol, clients: 3, SmallSize);
        using Socket silent = Silent(protocol);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(
            () => session.ConnectAsync((IPEndPoint)silent.LocalEndPoint!, TimeSpan.FromMilliseconds(300)));

        // A connection of TCP is accepted by the system itself. Then the answer to TLS is missing, for which client and group have the same deadline.
        string late = $"Only 0 of 3 clients connected to {silent.LocalEndPoint} within 0.3 s.";
        string[] expected = protocol switch
        {
            Protocol.Tcp => ["A client could not connect: "],
            Protocol.Quic => [late, $"A client could not connect: {silent.LocalEndPoint} cannot be reached: "],
            Protocol.Ssl => [late, "A client could not connect: the TLS handshake failed: the server did not complete it within 0.3 s"],
            _ => [late],
        };
        Assert.True(expected.Any(begin => exception.Message.StartsWith(begin, StringComparison.Ordinal)), exception.Message);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_exception_of_the_servers_handler_becomes_the_fault_of_the_run(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 1, SmallSize);
        session.Server.Message = (_, _) => throw new InvalidOperationException("the handler is broken");
        await AssertFaultAsync(session);
    }

    [Theory]
    [MemberData(nameof(Transports))]
    public async Task An_exception_of_a_clients_handler_becomes_the_fault_of_the_run(string name, Protocol protocol)
    {
        await using var session = new Session(LibraryUnderTest.Create(name), protocol, clients: 1, SmallSize);
        session.Client.Message = (_, _) => throw new InvalidOperationException("the handler is broken");
        await AssertFaultAsync(session);
    }

    private static async Task AssertFaultAsync(Session session)
    {
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        await session.LoadAsync();
        Exception fault = await session.Recorder.Fault.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Equal("the handler is broken", fault.Message);
    }

    // Uses one port until it is taken; returns how often it was free.
    private static async Task<int> UsePortAgainAsync(INetworkBenchmark library, Protocol protocol)
    {
        int port = 0;
        for (int use = 0; use < MostUses; use++)
        {
            await using var session = new Session(library, protocol, clients: 4, SmallSize);
            if (!StartsAt(port, session))
            {
                return use;
            }

            await session.ConnectAsync();
            port = session.EndPoint.Port;
        }

        return MostUses;
    }

    // Starts a session's server, unless another program has taken the port.
    private static bool StartsAt(int port, Session session)
    {
        try
        {
            session.StartServer(port);
            return true;
        }
        catch (BenchmarkException exception) when (exception.Message.Contains("is in use. Use -p 0 for a free one.", StringComparison.Ordinal))
        {
            return false;
        }
    }

    // Ends a server while its clients are connected and starts another at its port; returns whether the port was free.
    private static async Task<bool> RestartAsync(INetworkBenchmark library, Protocol protocol)
    {
        const int Clients = 3;
        await using var first = new Session(library, protocol, Clients, SmallSize);
        await using var second = new Session(library, protocol, Clients, SmallSize);
        var answers = new Tally();
        second.Client.Started = peer => peer.Send(new byte[SmallSize]);
        second.Client.Message = (_, _) => answers.Add();
        first.StartServer();
        await first.ConnectAsync();
        first.Load();
        await first.EndServerAsync();
        await first.Client.Closed.ReachesAsync(Clients, "clients that see the end of their server");
        if (!StartsAt(first.EndPoint.Port, second))
        {
            return false;
        }

        await second.ConnectAsync();
        second.Load();
        await answers.ReachesAsync(Clients, "answers of the new server");
        Assert.Empty(second.Recorder.Errors());
        return true;
    }

    private static Socket Silent(Protocol protocol)
    {
        var socket = protocol.IsOverTcp()
            ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (protocol == Protocol.Ssl)
        {
            socket.Listen();
        }

        return socket;
    }
}
