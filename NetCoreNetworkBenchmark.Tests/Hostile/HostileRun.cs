using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Running.Sides;

namespace NetCoreNetworkBenchmark.Tests.Hostile;

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
    private readonly ClientSide _clients;
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
        _start = _server.Mark();
        _clients = new ClientSide(_plan, driver, new PingPong(), meter, new NoCoordinator(), credentials?.Clients);
    }

    public IPEndPoint EndPoint => _server.EndPoint;
    public IReadOnlyDictionary<string, long> Errors => _server.Report(_server.Mark()).Errors;

    public long Foreign(string name) => _server.Report(_server.Mark()).Unsolicited.GetValueOrDefault(name);

    public async Task BeginAsync()
    {
        await _clients.ConnectAsync(EndPoint, TestContext.Current.CancellationToken);
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
            Server = _server.Report(_server.Mark().Since(_start)),
            OneProcess = true,
            Fitness = FitnessInspector.Inspect(_plan),
        });
    }

    /// <summary>Waits until every datagram of a flood was counted, by the server or as dropped by the kernel, if the library reports them.</summary>
    public async Task CountsAsync(DatagramFlood flood)
    {
        if (_library.Info.CountsUnsolicitedDatagrams)
        {
            // LiteNetLib from 2.1.5 on takes empty datagrams from the socket before anything can count them.
            bool countsEmpty = _library.Info.Name != "LiteNetLib" || Version.Parse(_library.Info.Version) < new Version(2, 1, 5);
            int countable = countsEmpty ? flood.Sent : flood.Sent - flood.Empty;
            await Wait.UntilAsync(
                () => Foreign(UnsolicitedTraffic.Datagrams) >= countable - DatagramFlood.KernelDrops(EndPoint.Port), "datagrams that are counted");
            Assert.InRange(Foreign(UnsolicitedTraffic.Datagrams), 0, countable);
        }
    }

    public async ValueTask DisposeAsync()
    {
        _clients.EnterStop();
        _server.EnterStop();
        await _clients.DisposeAsync();
        await _server.DisposeAsync();
    }
}
