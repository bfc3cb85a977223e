namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>Clients of the adapters that greet by datagrams use no socket after the server's goodbye. The server is the test's own.</summary>
public sealed class ClosedSocketTests
{
    private const int MessageSize = 32;

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task What_is_sent_before_a_goodbye_of_the_same_receive_call_goes_and_nothing_after_it(string name)
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), Protocol.Udp, clients: 1, MessageSize, parallelMessages: 10);
        using Server server = await ConnectAsync(session, clients: 1);
        using var mayGoOn = new ManualResetEventSlim();
        session.Client.Started = peer => peer.Send(Message(1));
        session.Client.Message = (peer, answer) =>
        {
            if (answer[0] == 2)
            {
                // Datagrams that arrive in the meantime wait in the socket, for one receive call.
                Assert.True(mayGoOn.Wait(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
            }
            else
            {
                peer.Send(Message(4));
            }
        };
        session.Load();
        (byte first, EndPoint client) = await server.ReceiveAsync();
        Assert.Equal(1, first);
        server.Send(Message(2), client);
        server.Send(Message(3), client);
        server.Send(DatagramHandshake.Bye.ToArray(), client);
        mayGoOn.Set();
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        Assert.Equal(4, (await server.ReceiveAsync()).First);
        Assert.Empty(session.Recorder.Errors());
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Start_after_a_bye_reaches_only_the_remaining_clients(string name)
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, MessageSize);
        using Server server = await ConnectAsync(session, clients: 2);
        var started = new Tally();
        session.Client.Started = peer =>
        {
            peer.Send(Message(1));
            started.Add();
        };
        server.Send(DatagramHandshake.Bye.ToArray(), server.Clients[0]);
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        session.Load();
        await started.ReachesAsync(1, "start of the other client");
        Assert.Equal(server.Clients[1], (await server.ReceiveAsync()).Client);
        Assert.Equal(1, started.Count);
        Assert.Empty(session.Recorder.Errors());
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Due_message_is_not_sent_after_the_bye(string name)
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, MessageSize, rate: 1_000);
        using Server server = await ConnectAsync(session, clients: 2);
        var (due, peers) = (new Tally(), new ConcurrentDictionary<IPeer, bool>());
        session.Client.Due = (peer, _, _) =>
        {
            peers[peer] = true;
            peer.Send(Message(1));
            due.Add();
        };
        server.Send(DatagramHandshake.Bye.ToArray(), server.Clients[0]);
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        session.Load();
        await due.ReachesAsync(10, "messages of the other client that became due");
        Assert.Single(peers);
        Assert.Empty(session.Recorder.Errors());
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Epoll"), InlineData("Sockets")]
    public async Task Send_fails_and_is_counted_after_the_bye(string name)
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, MessageSize);
        using Server server = await ConnectAsync(session, clients: 2);
        var (peers, sent) = (new ConcurrentQueue<IPeer>(), new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously));
        session.Client.Started = peer =>
        {
            peers.Enqueue(peer);
            peer.Send(Message(1));
        };
        session.Client.Message = (_, _) => sent.TrySetResult(peers.First().Send(Message(4)));
        session.Load();
        await server.ReceiveAsync();
        await server.ReceiveAsync();
        server.Send(DatagramHandshake.Bye.ToArray(), server.Clients[0]);
        await session.Client.Closed.ReachesAsync(1, "goodbye seen by the client");
        server.Send(Message(2), server.Clients[1]);
        Assert.False(await sent.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken));
        Assert.Equal([("client NotConnected", 1)], session.Recorder.Errors().Select(error => (error.Key, error.Value)));
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    private static byte[] Message(byte first)
    {
        var message = new byte[MessageSize];
        message[0] = first;
        return message;
    }

    private static async Task<Server> ConnectAsync(LibrarySession session, int clients)
    {
        var server = new Server();
        await Task.WhenAll(server.WelcomeAsync(clients), session.ConnectAsync(server.EndPoint));
        return server;
    }

    private sealed class Server : IDisposable
    {
        private static readonly IPEndPoint s_any = new(IPAddress.Loopback, 0);
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

        public Server() => _socket.Bind(s_any);

        public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

        /// <summary>The clients in the order of their creation, which is the order of their first greetings.</summary>
        public List<EndPoint> Clients { get; } = [];

        public async Task WelcomeAsync(int clients)
        {
            while (Clients.Count < clients)
            {
                (byte[] datagram, EndPoint client) = await ReceiveDatagramAsync();
                Assert.Equal(DatagramHandshakeKind.Hello, DatagramHandshake.Read(datagram));
                if (!Clients.Contains(client))
                {
                    Clients.Add(client);
                }
            }

            Clients.ForEach(client => Send(DatagramHandshake.Welcome.ToArray(), client));
        }

        public async Task<(byte First, EndPoint Client)> ReceiveAsync()
        {
            (byte[] datagram, EndPoint client) = await ReceiveDatagramAsync();
            while (DatagramHandshake.Read(datagram) != DatagramHandshakeKind.None)
            {
                (datagram, client) = await ReceiveDatagramAsync();
            }

            return (datagram[0], client);
        }

        public void Send(byte[] datagram, EndPoint client) => Assert.Equal(datagram.Length, _socket.SendTo(datagram, client));

        public void Dispose() => _socket.Dispose();

        private async Task<(byte[] Datagram, EndPoint Client)> ReceiveDatagramAsync()
        {
            var buffer = new byte[MessageSize + 1];
            SocketReceiveFromResult result = await _socket.ReceiveFromAsync(buffer, s_any, TestContext.Current.CancellationToken)
                .AsTask().WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
            return (buffer[..result.ReceivedBytes], result.RemoteEndPoint);
        }
    }
}

/// <summary>Counts the resources of the whole process, so no other test may run at the same time.</summary>
[CollectionDefinition(nameof(LeakTests), DisableParallelization = true)]
[Collection(nameof(LeakTests))]
[Trait("Category", "Leak")]
public sealed class LeakTests
{
    [Theory, MemberData(nameof(LibraryUnderTest.Transports), MemberType = typeof(LibraryUnderTest))]
    public async Task Disposing_leaves_no_thread_and_no_socket(string name, Protocol protocol)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads and sockets are counted in Linux's /proc.");
        INetworkBenchmark library = LibraryUnderTest.Create(name);

        // The first session starts threads that the process keeps: the thread pool, the runtime's own sockets thread.
        await ConnectAndCloseAsync(library, protocol);
        await SettlesAsync(0, () => ThreadsOf(name), "threads of the library");
        int sockets = Sockets();
        for (int session = 0; session < 3; session++)
        {
            await ConnectAndCloseAsync(library, protocol);
        }

        await SettlesAsync(0, () => ThreadsOf(name), "threads of the library");
        await SettlesAsync(sockets, Sockets, "open sockets");
    }

    /// <summary>The open descriptors of the process, except for the assemblies that the runtime loads when they are first used.</summary>
    internal static int Descriptors() => Targets().Count(target => !target.EndsWith(".dll", StringComparison.Ordinal));

    /// <summary>Waits until a count has fallen to the given one. The kernel still lists a thread for a moment after it has ended and been joined.</summary>
    internal static Task SettlesAsync(int expected, Func<int> count, string what) =>
        Wait.UntilAsync(() => count() <= expected, () => $"{count()} {what} instead of {expected}");

    private static async Task ConnectAndCloseAsync(INetworkBenchmark library, Protocol protocol)
    {
        await using var session = new LibrarySession(library, protocol, clients: 20, messageSize: 32);
        await session.StartAsync();
    }

    internal static int Sockets() => Targets().Count(target => target.StartsWith("socket:", StringComparison.Ordinal));

    // A descriptor that was closed since the folder was read has no target.
    internal static IEnumerable<string> Targets(string process = "self") =>
        Directory.GetFiles($"/proc/{process}/fd").Select(descriptor => new FileInfo(descriptor).LinkTarget).OfType<string>();

    // Adapters name their threads after the library; the kernel keeps 15 characters. A thread may have ended between the listing and the reading.
    private static int ThreadsOf(string library) => Directory.GetDirectories("/proc/self/task")
        .Select(thread => SystemFiles.ReadLine(Path.Combine(thread, "comm")))
        .Count(name => name?.StartsWith(library[..Math.Min(15, library.Length)], StringComparison.Ordinal) == true);
}

/// <summary>The requirements for every library over IPv6, unless it reports that it does not support it.</summary>
public sealed class IPv6Tests
{
    private const int Size = 1_000;
    private const int Clients = 4;

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithIPv6() => Transports(isIPv4Only: false);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithoutIPv6() => Transports(isIPv4Only: true);

    [Theory, MemberData(nameof(WithIPv6))]
    public async Task Messages_come_back_as_they_were_sent_and_closes_are_seen(string name, Protocol protocol)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), protocol, Clients, Size);
        byte[] message = new byte[Size];
        new Random(Size).NextBytes(message);
        var (right, wrong) = (new Tally(), new Tally());
        session.Client.Started = peer => peer.Send(message);
        session.Client.Message = (_, answer) => (answer.AsSpan().SequenceEqual(message) ? right : wrong).Add();
        session.StartServer(address: IPAddress.IPv6Loopback);
        await session.ConnectAsync();
        session.Load();
        await right.ReachesAsync(Clients, "messages came back as they were sent");
        Assert.Equal(0, wrong.Count);
        Assert.Empty(session.Recorder.Errors());
        await session.CloseClientsAsync();
        await session.Server.Closed.ReachesAsync(Clients, "closes seen by the server");
    }

    [Theory, MemberData(nameof(WithIPv6))]
    public async Task StartServer_binds_the_requested_end_point_and_names_a_port_in_use(string name, Protocol protocol)
    {
        LibraryUnderTest.RequireIPv6Loopback();
        INetworkBenchmark library = LibraryUnderTest.Create(name);
        await using var first = new LibrarySession(library, protocol, clients: 1, Size);
        await using var second = new LibrarySession(library, protocol, clients: 1, Size);
        first.StartServer(address: IPAddress.IPv6Loopback);
        Assert.Equal(IPAddress.IPv6Loopback, first.EndPoint.Address);
        var exception = Assert.Throws<BenchmarkException>(() => second.StartServer(first.EndPoint.Port, IPAddress.IPv6Loopback));
        exception.Message.AssertBegins($"Port {first.EndPoint.Port} of ::1 is in use. Use -p 0 for a free one.");
    }

    [Theory, MemberData(nameof(WithoutIPv6))]
    public async Task A_library_without_IPv6_refuses_the_address(string name, Protocol protocol)
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), protocol, Clients, Size);
        var exception = Assert.Throws<BenchmarkException>(() => session.StartServer(address: IPAddress.IPv6Loopback));
        Assert.True(exception.IsBadInput);
        Assert.Equal($"--address: {name} has no IPv6, and ::1 is an IPv6 address. Use an IPv4 address, such as 127.0.0.1.", exception.Message);
    }

    [Theory]
    [InlineData("ENet", true), InlineData("ENet-CSharp", false), InlineData("Epoll", false), InlineData("kcp2k", false), InlineData("Kestrel", false)]
    [InlineData("LiteNetLib", false), InlineData("NetCoreServer", false), InlineData("Sockets", false)]
    public void Info_says_whether_the_library_has_IPv6(string name, bool isIPv4Only)
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains(name), $"{name} is not in this build.");
        Assert.Equal(isIPv4Only, LibraryUnderTest.Catalog.CreateLibrary(name)!.Info.Addresses == AddressSupport.IPv4);
    }

    private static IEnumerable<TheoryDataRow<string, Protocol>> Transports(bool isIPv4Only) => LibraryUnderTest.Transports()
        .Where(row => (LibraryUnderTest.Catalog.CreateLibrary(row.Data.Item1)!.Info.Addresses == AddressSupport.IPv4) == isIPv4Only);
}
