using NetCoreNetworkBenchmark.Tests.Running.Sides;

namespace NetCoreNetworkBenchmark.Tests.Hostile;

/// <summary>Datagrams of strangers end no server, reach no client of the run and are counted.</summary>
public sealed class HostileDatagramTests
{
    public static IEnumerable<TheoryDataRow<string>> Servers() =>
        from row in LibraryUnderTest.Transports()
        where row.Data.Item2 == Protocol.Udp
        select new TheoryDataRow<string>(row.Data.Item1);

    [Theory, MemberData(nameof(Servers)), Trait("Category", "Long")]
    public async Task A_server_lives_through_random_datagrams_and_its_clients_lose_nothing(string name)
    {
        await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(1));
        await run.BeginAsync();
        var flood = new DatagramFlood(run.EndPoint, datagrams: 4_000, rate: 8_000);
        await flood.RunAsync(TestContext.Current.CancellationToken);
        await run.ServesAsync();
        RunResult result = await run.EndAsync();
        Assert.Equal(4_000, flood.Sent);
        Assert.InRange(result.Lost, 0, HostileRun.InFlight * DatagramFlood.KernelDrops(run.EndPoint.Port));
        Assert.Equal(0, result.Corrupted);
        Assert.Empty(result.ErrorsByName);
        await run.CountsAsync(flood);
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Server_receives_from_its_clients_after_empty_datagrams(string name)
    {
        await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(0.2));
        using var stranger = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        for (int number = 0; number < 200; number++)
        {
            await stranger.SendToAsync(Array.Empty<byte>(), run.EndPoint);
        }

        await run.BeginAsync();
        RunResult result = await run.EndAsync();
        Assert.Equal(0, result.Lost);
        Assert.Empty(result.ErrorsByName);
    }

    // A run without strangers must not count these.
    [Theory, MemberData(nameof(Servers))]
    public async Task Datagrams_of_the_clients_of_the_run_are_not_unsolicited(string name)
    {
        await using var run = new HostileRun(name, Protocol.Udp, TimeSpan.FromSeconds(0.2));
        await run.BeginAsync();
        RunResult result = await run.EndAsync();
        Assert.Empty(result.Server!.Unsolicited);
        Assert.Equal(0, result.Lost);
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task A_server_has_no_more_peers_than_the_plan_has_clients(string name)
    {
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), Protocol.Udp, clients: 2, messageSize: 32);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(2, "clients seen by the server");
        await Assert.ThrowsAsync<BenchmarkException>(() => session.ConnectAsync(deadline: TimeSpan.FromSeconds(1)));
        Assert.Equal((2, 0), (session.Server.Connected.Count, session.Server.Closed.Count));
    }

    [Fact]
    public async Task A_datagram_that_wakes_a_thread_of_the_server_is_not_unsolicited()
    {
        IPeer? client = null;
        var woken = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var session = new LibrarySession(LibraryUnderTest.Create("Sockets"), Protocol.Udp, clients: 1, messageSize: 32);
        session.Server.Message = (peer, _) => Volatile.Write(ref client, peer);
        session.Server.Writable = _ => woken.TrySetResult();
        session.Client.Started = peer => peer.Send(new byte[32]);
        await session.LoadAsync();
        await Wait.UntilAsync(() => Volatile.Read(ref client) is not null, "the message of the client");
        client!.Wake();
        await woken.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        Assert.Empty(session.Recorder.Unsolicited());
    }

    [Fact]
    public async Task A_message_that_is_too_long_ends_its_own_connection_alone()
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains("kcp2k"), "kcp2k is not in this build.");
        INetworkBenchmark library = LibraryUnderTest.Create("kcp2k");
        await using var session = new LibrarySession(library, Protocol.Udp, clients: 2, messageSize: 32);
        session.StartServer();
        using var recorder = new RunRecorder();
        var intruder = new ClientActions { Started = peer => peer.Send(new byte[64]) };
        await using IClientGroup clients = await library.ConnectAsync(
            new ClientSetup
            {
                EndPoint = session.EndPoint,
                Plan = session.Plan with { Clients = 1, MessageSize = 64 },
                Handler = intruder,
                Recorder = recorder,
            },
            TestContext.Current.CancellationToken);
        clients.Start();
        await session.Server.Closed.ReachesAsync(1, "closes seen by the server");
        Assert.Equal(["server received a message of an invalid length"], session.Recorder.Errors().Keys);
        Assert.False(session.Recorder.Fault.IsCompleted);
    }

    [Theory, InlineData("Sockets"), InlineData("Epoll"), InlineData("NetCoreServer")]
    public async Task Hellos_from_many_ports_make_no_more_peers_than_the_plan_has_clients(string name)
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.Libraries.Contains(name), $"{name} is not in this build.");
        await using var session = new LibrarySession(LibraryUnderTest.Create(name), Protocol.Udp, clients: 4, messageSize: 32);
        await session.StartAsync();
        await session.Server.Connected.ReachesAsync(4, "clients seen by the server");
        for (int number = 0; number < 100; number++)
        {
            using var stranger = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            stranger.SendTo(DatagramHandshake.Hello, session.EndPoint);
        }

        await Wait.UntilAsync(() => session.Recorder.Unsolicited().GetValueOrDefault(UnsolicitedTraffic.Datagrams) == 100, "100 greetings that are counted");
        Assert.Equal((4, 0), (session.Server.Connected.Count, session.Server.Closed.Count));
    }
}

/// <summary>Connections of strangers end no server, stop no client of the run, and are counted by name.</summary>
public sealed class HostileConnectionTests
{
    private const int OfEachKind = 6;

    // The clients have to be served all the time, and need not take the machine for that: the closed loop is in the torture.
    private const double Rate = 2_000;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Servers() => LibraryUnderTest.OverTcp();

    [Theory, MemberData(nameof(Servers)), Trait("Category", "Long")]
    public async Task Server_survives_unsolicited_connections_and_its_clients_lose_nothing(string name, Protocol protocol)
    {
        await using var run = new HostileRun(
            name, protocol, TimeSpan.FromSeconds(protocol == Protocol.Ssl ? 2 : 1), handshakeDeadline: TimeSpan.FromSeconds(1), rate: Rate);
        await run.BeginAsync();
        using var unsolicited = new UnsolicitedConnections(run.EndPoint);
        unsolicited.OpenEach(OfEachKind);
        await run.ServesAsync();
        if (protocol == Protocol.Ssl)
        {
            // All of them are ended within the deadline of a handshake, and each one is counted.
            await Wait.UntilAsync(() => unsolicited.Ended() == unsolicited.Made, "ends of strangers that make no handshake");
            await Wait.UntilAsync(
                () => run.Errors.Where(error => error.Key.StartsWith("server TLS handshake failed: ", StringComparison.Ordinal))
                    .Sum(error => error.Value) == unsolicited.Made,
                "handshakes that failed");
        }
        else
        {
            await Wait.UntilAsync(() => run.Errors.GetValueOrDefault("server received a message of an invalid length") > 0, "messages of a wrong length");
        }

        Assert.InRange(run.Foreign(UnsolicitedTraffic.Connections), 1, unsolicited.Made);
        await run.ServesAsync();
        RunResult result = await run.EndAsync();
        Assert.Equal((0, 0), (result.Lost, result.Corrupted));
        Assert.DoesNotContain(result.ErrorsByName.Keys, error => error.StartsWith("client", StringComparison.Ordinal));
    }

    [Theory, MemberData(nameof(Servers))]
    public async Task Connections_far_above_the_plans_clients_are_closed_at_once(string name, Protocol protocol)
    {
        // One client and 64 other connections are permitted.
        await using var service = new StreamService(name, protocol);
        using var unsolicited = new UnsolicitedConnections(service.EndPoint);
        unsolicited.Open(UnsolicitedConnections.Kind.Silent, 85);
        await Wait.UntilAsync(() => unsolicited.Ended() == 20, "ends of those that are too many");

        // A connection takes its place before it is counted, so the last count may follow the ends.
        await Wait.UntilAsync(() => service.Recorder.Unsolicited()[UnsolicitedTraffic.Connections] == 84, "the count of the others");
    }
}

/// <summary>A closed loop of one library over one transport, or an open loop of a rate, whose server receives traffic of strangers.</summary>
internal sealed class HostileRun : IAsyncDisposable
{
    public const int Clients = 8;

    /// <summary>
    /// The messages in flight of each client. A library that gathers messages can put all of them into one datagram, so one dropped datagram can
    /// lose as many.
    /// </summary>
    public const int InFlight = 4;

    private readonly RunPlan _plan;
    private readonly INetworkBenchmark _library;
    private readonly ServerSide _server;
    private readonly Func<CancellationToken, Task<ClientSide>> _connect;
    private ClientSide? _clients;
    private readonly ServerSnapshot _start;
    private Task<ClientReport>? _load;

    public HostileRun(string name, Protocol protocol, TimeSpan duration, TimeSpan? handshakeDeadline = null, double? rate = null)
    {
        _library = LibraryUnderTest.Create(name);
        INetworkBenchmark driver = LibraryUnderTest.ClientsFor(_library, protocol);
        _plan = new RunPlan
        {
            Library = name,
            Protocol = protocol,
            Transmission = protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable,
            Framing = Framing.Length,
            Tls = new TlsPlan { Key = TlsKey.P256 },
            ClientLibrary = driver.Info.Name == name ? null : driver.Info.Name,
            Clients = Clients,
            ParallelMessages = rate is null ? InFlight : 1,
            Rate = rate,
            MessageSize = 32,
            WarmUp = TimeSpan.FromMilliseconds(100),
            Duration = duration,
            ConnectDeadline = LibraryUnderTest.Deadline,
            Port = 0,
            AnyMachine = true,
        };
        var meter = new ProcessMeter();
        RunCredentials? credentials = RunCredentials.For(_plan);
        RunPlan served = _plan with { ConnectDeadline = handshakeDeadline ?? _plan.ConnectDeadline };
        _server = new ServerSide(served, _library, new PingPong(), new IPEndPoint(IPAddress.Loopback, 0), meter, credentials?.Server);
        _start = _server.Read();
        var address = new ServerAddress(_server.EndPoint, credentials?.Clients);
        _connect = token => ClientSide.ConnectAsync(_plan, driver, new PingPong(), meter, new NoCoordinator(), address, endsWithServer: false, token);
    }

    public IPEndPoint EndPoint => _server.EndPoint;
    public IReadOnlyDictionary<string, long> Errors => _server.Report(_server.Read()).Errors;

    public long Foreign(string name) => _server.Report(_server.Read()).Unsolicited.GetValueOrDefault(name);

    public async Task BeginAsync()
    {
        _clients = await _connect(TestContext.Current.CancellationToken);
        _load = _clients.LoadAsync(TestContext.Current.CancellationToken);
        await ServesAsync();
    }

    /// <summary>Waits until the server has received further messages of the clients, or the load has ended.</summary>
    public async Task ServesAsync()
    {
        long before = _server.Messages;
        await Wait.UntilAsync(
            () => _server.Messages > before + (2 * Clients) || _load!.IsCompleted || _server.Fault.IsCompleted, "messages that reach the server");
        Assert.False(_server.Fault.IsCompleted, _server.Fault.IsCompleted ? $"The server died: {await _server.Fault}" : string.Empty);
    }

    public async Task<RunResult> EndAsync()
    {
        ClientReport measured = await _load!.WaitAsync(LibraryUnderTest.Deadline + _plan.Duration, TestContext.Current.CancellationToken);
        Assert.False(_server.Fault.IsCompleted, _server.Fault.IsCompleted ? $"The server died: {await _server.Fault}" : string.Empty);
        return ResultBuilder.Build(new RunMeasurements
        {
            Plan = _plan,
            Library = _library.Info,
            EndPoint = EndPoint,
            Workload = new PingPong(),
            LoadGenerators = [measured],
            Server = _server.Report(_server.Read().Since(_start)),
            OneProcess = true,
            Fitness = FitnessInspector.Inspect(_plan),
        });
    }

    /// <summary>Waits until every datagram of a flood was counted, by the server or as dropped by the kernel, if the library reports them.</summary>
    public async Task CountsAsync(DatagramFlood flood)
    {
        if (_library.Info.CountsUnsolicitedDatagrams)
        {
            await Wait.UntilAsync(
                () => Foreign(UnsolicitedTraffic.Datagrams) >= flood.Sent - DatagramFlood.KernelDrops(EndPoint.Port), "datagrams that are counted");
            Assert.InRange(Foreign(UnsolicitedTraffic.Datagrams), 0, flood.Sent);
        }
    }

    public async ValueTask DisposeAsync()
    {
        _clients?.EnterStop();
        _server.EnterStop();
        if (_clients is not null)
        {
            await _clients.DisposeAsync();
        }

        await _server.DisposeAsync();
    }
}
