using System.Threading.Channels;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The libraries of this build, for tests that cover every library without being listed.</summary>
internal static class LibraryUnderTest
{
    public static readonly TimeSpan Deadline = Wait.Deadline;

    public static Catalog Catalog { get; } = new(typeof(Catalog).Assembly, typeof(MemoryBenchmark).Assembly);

    /// <summary>Creates an adapter; skips the test, with the reason, if the library cannot run on this machine.</summary>
    public static INetworkBenchmark Create(string name)
    {
        INetworkBenchmark library = Catalog.CreateLibrary(name)!;
        Assert.SkipUnless(library.Info.Unavailable is null, $"{name} cannot run here: {library.Info.Unavailable}");
        return library;
    }

    /// <summary>Skips the test if the machine has no IPv6 loopback, as in some containers.</summary>
    public static void RequireIPv6Loopback() =>
        Assert.SkipUnless(BindFailure.Find(new IPEndPoint(IPAddress.IPv6Loopback, 0), Protocol.Udp) is null, "This machine has no IPv6 loopback.");

    public static IEnumerable<TheoryDataRow<string>> Names() => Catalog.Libraries.Select(name => new TheoryDataRow<string>(name));

    /// <summary>Names of the libraries that the program has, without the one that is only a double in tests.</summary>
    public static IReadOnlyCollection<string> OfProgram { get; } = new Catalog(typeof(Catalog).Assembly).Libraries;

    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => Over(_ => true);

    /// <summary>Every library with a network over every transport that it offers.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> TransportsWithNetwork() => Transports().Where(row => OfProgram.Contains(row.Data.Item1));

    public static IEnumerable<TheoryDataRow<string, Protocol>> Streams() => Transports().Where(row => row.Data.Item2.IsStream());

    /// <summary>Every library over TCP and over TLS on it, for tests whose other side is a plain socket.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> OverTcp() =>
        Transports().Where(row => row.Data.Item2.IsOverTcp() && HasPlainStream(row.Data.Item1));

    /// <summary>Whether there are only the framed messages on a stream of the library, so that a plain socket can be its other side.</summary>
    public static bool HasPlainStream(string library) => Catalog.CreateLibrary(library)!.Info.WireFormat is null;

    public static IEnumerable<TheoryDataRow<string, Protocol>> ClientsOverTcp() => Over(info => info.HasClients).Where(row => row.Data.Item2.IsOverTcp());

    public static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> WaysOfStreams() => WaysOf(Streams());

    public static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> WaysOverTcp() => WaysOf(OverTcp());

    private static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> WaysOf(IEnumerable<TheoryDataRow<string, Protocol>> rows) =>
        from row in rows
        from send in WaysToSend(row.Data.Item1, row.Data.Item2)
        from framing in (Framing[])[Framing.Fixed, Framing.Length, Framing.Checked]
        select new TheoryDataRow<string, Protocol, Framing, string>(row.Data.Item1, row.Data.Item2, framing, send!);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithServerThreads() => Over(info => info.MostServerThreads is null or > 1);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithClientThreads() => Over(info => info.HasClients && info.ClientThreadsByPlan);

    public static IEnumerable<TheoryDataRow<string, Protocol>> SendingUnasked() =>
        from row in Transports()
        where Catalog.CreateLibrary(row.Data.Item1)!.Info.ServerPushTransports.Contains(row.Data.Item2)
        select row;

    /// <summary>
    /// The rows of one library in the plain tests, and those of all others in the long ones: for whole runs whose parts the contract tests cover for
    /// every library.
    /// </summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> OneInPlain(IEnumerable<TheoryDataRow<string, Protocol>> rows, string library) =>
        rows.Select(row => row.Data.Item1 == library
            ? row
            : new TheoryDataRow<string, Protocol>(row.Data.Item1, row.Data.Item2) { Skip = row.Skip, Traits = { ["Category"] = ["Long"] } });

    /// <summary>The same in every way to send; null if the library has only one.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string?>> SendingUnaskedInEveryWay() =>
        from row in SendingUnasked()
        from send in WaysToSend(row.Data.Item1, row.Data.Item2).DefaultIfEmpty(null)
        select new TheoryDataRow<string, Protocol, string?>(row.Data.Item1, row.Data.Item2, send);

    /// <summary>Every way to send of every library over its streams, with messages of several sizes.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string, Framing, int>> StreamSizes() =>
        from row in WaysOfStreams()
        from size in (int[])[1, 32, 100_000]
        select new TheoryDataRow<string, Protocol, string, Framing, int>(row.Data.Item1, row.Data.Item2, row.Data.Item4, row.Data.Item3, size);

    public static IEnumerable<TheoryDataRow<string, Protocol, string, string>> Settings() =>
        from row in Transports()
        let info = Catalog.CreateLibrary(row.Data.Item1)!.Info.Over(row.Data.Item2)
        from setting in info.Settings
        from value in setting.Values
        let plan = new RunPlan
        {
            Library = info.Name,
            Protocol = row.Data.Item2,
            Settings = new Dictionary<string, string> { [setting.Name] = value },
        }
        where info.FindFault(plan, Catalog.DefaultWorkload) is null
        select new TheoryDataRow<string, Protocol, string, string>(row.Data.Item1, row.Data.Item2, setting.Name, value);

    public static IEnumerable<TheoryDataRow<string, Protocol, Transmission>> Transmissions() =>
        from row in Transports()
        from offered in Catalog.CreateLibrary(row.Data.Item1)!.Info.TransmissionsOver(row.Data.Item2)
        select new TheoryDataRow<string, Protocol, Transmission>(row.Data.Item1, row.Data.Item2, offered.Transmission);

    public static IEnumerable<TheoryDataRow<string, Protocol, Transmission, int>> Sizes() =>
        from row in Transports()
        from offered in Catalog.CreateLibrary(row.Data.Item1)!.Info.TransmissionsOver(row.Data.Item2)
        from size in (int[])[1, 16, 32, 1_000, 60_000, 1_000_000]
        where size <= offered.LargestMessage
        select new TheoryDataRow<string, Protocol, Transmission, int>(row.Data.Item1, row.Data.Item2, offered.Transmission, size);

    /// <summary>The library's own clients, or those of another library if it has none.</summary>
    public static INetworkBenchmark ClientsFor(INetworkBenchmark library, Protocol protocol) => library.Info.HasClients
        ? library
        : Catalog.Libraries.Select(name => Catalog.CreateLibrary(name)!)
            .First(candidate => ClientLibraries.Over(protocol, library.Info.WireFormat, [candidate.Info]).Count > 0);

    private static IEnumerable<string?> WaysToSend(string library, Protocol protocol) =>
        protocol.IsStream() && Catalog.CreateLibrary(library)!.Info.Settings.Any(setting => setting.Name == StreamSendSetting.Setting.Name)
            ? StreamSendSetting.Setting.Values
            : [];

    private static IEnumerable<TheoryDataRow<string, Protocol>> Over(Func<LibraryInfo, bool> chosen) =>
        from name in Catalog.Libraries
        let info = Catalog.CreateLibrary(name)!.Info
        from protocol in info.Protocols
        where info.CarriesMessages && chosen(info.Over(protocol))
        select new TheoryDataRow<string, Protocol>(name, protocol) { Skip = info.Unavailable is { } reason ? $"{name} cannot run here: {reason}." : null };
}

/// <summary>A server and clients of one library with handlers from the test, on a port of their own.</summary>
internal sealed class Session : IAsyncDisposable
{
    // One set for all sessions, as they do not test how certificates are made.
    private static readonly Lazy<TlsCredentials> s_credentials = new(() => CertificateMaker.Make(TlsKey.P256, []));

    private readonly INetworkBenchmark _library;
    private readonly INetworkBenchmark _clientLibrary;
    private readonly TlsCredentials? _credentials;
    private readonly RunPlan _plan;
    private IBenchmarkServer? _server;
    private IClientGroup? _clients;

    public Session(
        INetworkBenchmark library, Protocol protocol, int clients, int messageSize, int parallelMessages = 1, double? rate = null, int serverThreads = 1,
        int clientThreads = 1, (string Name, string Value)? setting = null, Transmission? transmission = null, Framing framing = Framing.Fixed,
        TimeProvider? clock = null, int? smallestMessage = null)
    {
        _library = library;
        _clientLibrary = LibraryUnderTest.ClientsFor(library, protocol);
        _credentials = protocol.HasTls() ? s_credentials.Value : null;
        _plan = new RunPlan
        {
            Library = library.Info.Name,
            Protocol = protocol,
            Framing = framing,
            Transmission = transmission ?? (protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable),
            Clients = clients,
            MessageSize = messageSize,
            SmallestMessage = smallestMessage,
            ParallelMessages = parallelMessages,
            Rate = rate,
            ServerThreads = serverThreads,
            ClientThreads = clientThreads,
            Settings = setting is { } chosen
                ? new Dictionary<string, string> { [chosen.Name] = chosen.Value }
                : new RunPlan { Library = string.Empty }.Settings,
            ConnectDeadline = LibraryUnderTest.Deadline,
        };
        Recorder = new RunRecorder(openLoop: rate is not null, clock);
    }

    public RunRecorder Recorder { get; }
    public RunPlan Plan => _plan;

    /// <summary>Handlers instead of <see cref="Server"/> and <see cref="Client"/>, such as those of a workload.</summary>
    public (IServerHandler Server, IClientHandler Client)? Handlers { get; set; }

    public TestServerHandler Server { get; } = new();
    public TestClientHandler Client { get; } = new();
    public IPEndPoint EndPoint => _server!.EndPoint;

    public void StartServer(int port = 0, IPAddress? address = null) => _server = _library.StartServer(new ServerSetup
    {
        EndPoint = new IPEndPoint(address ?? IPAddress.Loopback, port),
        Plan = _plan,
        Credentials = _credentials,
        Handler = Handlers?.Server ?? Server,
        Recorder = Recorder,
    });

    public async Task ConnectAsync(IPEndPoint? endPoint = null, TimeSpan? deadline = null) => _clients = await _clientLibrary.ConnectAsync(
        new ClientSetup
        {
            EndPoint = endPoint ?? EndPoint,
            Plan = _plan with { ConnectDeadline = deadline ?? _plan.ConnectDeadline },
            Credentials = _credentials?.ForClients(),
            Handler = Handlers?.Client ?? Client,
            Recorder = Recorder,
        },
        TestContext.Current.CancellationToken);

    public async Task StartAsync()
    {
        StartServer();
        await ConnectAsync();
    }

    public async Task LoadAsync()
    {
        await StartAsync();
        Load();
    }

    public void Load()
    {
        Recorder.Enter(RunPhase.Measure);
        _clients!.Start();
    }

    public async Task CloseClientsAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        await _clients!.DisposeAsync();
    }

    public async Task CloseServerAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        await _server!.DisposeAsync();
    }

    public ValueTask EndServerAsync() => _server!.DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        Recorder.Enter(RunPhase.Stop);
        if (_clients is not null)
        {
            await _clients.DisposeAsync();
        }

        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        Recorder.Dispose();
    }
}

/// <summary>Counts events of other threads, and waits until enough of them have occurred.</summary>
internal sealed class Tally
{
    private readonly Channel<bool> _done = Channel.CreateUnbounded<bool>();
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public void Add()
    {
        Interlocked.Increment(ref _count);
        _done.Writer.TryWrite(true);
    }

    public async Task ReachesAsync(int count, string what)
    {
        for (int number = 0; number < count; number++)
        {
            try
            {
                await _done.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(LibraryUnderTest.Deadline);
            }
            catch (TimeoutException)
            {
                Assert.Fail($"Only {number} of {count}: {what}");
            }
        }
    }
}

/// <summary>A server with actions from the test. It counts its events.</summary>
internal sealed class TestServerHandler : IServerHandler
{
    public Tally Connected { get; } = new();
    public Tally Closed { get; } = new();
    public int WritableCalls { get; private set; }
    public Action<IPeer, byte[]> Message { get; set; } = (peer, message) => peer.Send(message);
    public Action<IPeer> Writable { get; set; } = _ => { };

    public void OnConnected(IPeer peer, WorkerStatistics worker) => Connected.Add();

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => Message(peer, message.ToArray());

    public void OnWritable(IPeer peer, WorkerStatistics worker)
    {
        WritableCalls++;
        Writable(peer);
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Closed.Add();
}

/// <summary>Clients with actions from the test. They count their events.</summary>
internal sealed class TestClientHandler : IClientHandler
{
    public Tally Connected { get; } = new();
    public Tally Closed { get; } = new();
    public Tally Ticks { get; } = new();
    public Action<IPeer> Started { get; set; } = _ => { };
    public Action<IPeer, byte[]> Message { get; set; } = (_, _) => { };
    public Action<IPeer, long, WorkerStatistics> Due { get; set; } = (_, _, _) => { };

    public void OnConnected(IPeer peer, WorkerStatistics worker) => Connected.Add();

    public void OnStart(IPeer peer, WorkerStatistics worker) => Started(peer);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => Message(peer, message.ToArray());

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => Due(peer, due, worker);

    public void OnTick(IPeer peer, WorkerStatistics worker) => Ticks.Add();

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Closed.Add();
}
