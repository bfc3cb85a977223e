using System.Net;
using System.Threading.Channels;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Running;

namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The libraries of this build, for tests that every library passes by merely existing.</summary>
internal static class LibraryUnderTest
{
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    public static Catalog Catalog { get; } = new(typeof(Catalog).Assembly);

    /// <summary>A new adapter; skips the test, with the reason, where the library cannot run on this machine.</summary>
    public static INetworkBenchmark Create(string name)
    {
        INetworkBenchmark library = Catalog.CreateLibrary(name)!;
        Assert.SkipUnless(library.Info.Unavailable is null, $"{name} cannot run here: {library.Info.Unavailable}");
        return library;
    }

    public static IEnumerable<TheoryDataRow<string>> Names() => Catalog.Libraries.Select(name => new TheoryDataRow<string>(name));

    public static IEnumerable<TheoryDataRow<string>> WithServerThreads() => NamesOf(info => info.MostServerThreads is null or > 1);

    public static IEnumerable<TheoryDataRow<string>> WithClientThreads() => NamesOf(info => info.ClientThreadsByPlan);

    public static IEnumerable<TheoryDataRow<string, string, string>> Settings() =>
        from name in Catalog.Libraries
        from setting in Catalog.CreateLibrary(name)!.Info.Settings
        from value in setting.Values
        select new TheoryDataRow<string, string, string>(name, setting.Name, value);

    public static IEnumerable<TheoryDataRow<string, Transmission>> Transmissions() =>
        from name in Catalog.Libraries
        from offered in Catalog.CreateLibrary(name)!.Info.Transmissions
        select new TheoryDataRow<string, Transmission>(name, offered.Transmission);

    public static IEnumerable<TheoryDataRow<string, Transmission, int>> Sizes() =>
        from name in Catalog.Libraries
        from offered in Catalog.CreateLibrary(name)!.Info.Transmissions
        from size in (int[])[1, 16, 32, 1_000, 60_000]
        where size <= offered.LargestMessage
        select new TheoryDataRow<string, Transmission, int>(name, offered.Transmission, size);

    private static IEnumerable<TheoryDataRow<string>> NamesOf(Func<LibraryInfo, bool> chosen) =>
        from name in Catalog.Libraries
        where chosen(Catalog.CreateLibrary(name)!.Info)
        select new TheoryDataRow<string>(name);
}

/// <summary>A server and clients of one library with handlers that the test gives, on a port of their own.</summary>
internal sealed class Session : IAsyncDisposable
{
    private readonly INetworkBenchmark _library;
    private readonly RunPlan _plan;
    private IBenchmarkServer? _server;
    private IClientGroup? _clients;

    public Session(INetworkBenchmark library, Transmission transmission, int clients, int messageSize, int parallelMessages = 1, double? rate = null, int serverThreads = 1, int clientThreads = 1, (string Name, string Value)? setting = null)
    {
        _library = library;
        _plan = new RunPlan
        {
            Library = library.Info.Name,
            Transmission = transmission,
            Clients = clients,
            MessageSize = messageSize,
            ParallelMessages = parallelMessages,
            Rate = rate,
            ServerThreads = serverThreads,
            ClientThreads = clientThreads,
            Settings = setting is { } chosen ? new Dictionary<string, string> { [chosen.Name] = chosen.Value } : new RunPlan { Library = string.Empty }.Settings,
            ConnectDeadline = LibraryUnderTest.Deadline,
        };
        Recorder = new RunRecorder(openLoop: rate is not null);
    }

    public RunRecorder Recorder { get; }

    public TestServerHandler Server { get; } = new();

    public TestClientHandler Client { get; } = new();

    public IPEndPoint EndPoint => _server!.EndPoint;

    public void StartServer(int port = 0) => _server = _library.StartServer(new ServerSetup
    {
        EndPoint = new IPEndPoint(IPAddress.Loopback, port),
        Plan = _plan,
        Handler = Server,
        Recorder = Recorder,
    });

    public async Task ConnectAsync(IPEndPoint? endPoint = null, TimeSpan? deadline = null) => _clients = await _library.ConnectAsync(
        new ClientSetup
        {
            EndPoint = endPoint ?? EndPoint,
            Plan = _plan with { ConnectDeadline = deadline ?? _plan.ConnectDeadline },
            Handler = Client,
            Recorder = Recorder,
        },
        TestContext.Current.CancellationToken);

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

/// <summary>Counts something that other threads do, and waits until it has been done often enough.</summary>
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

/// <summary>A server that does what the test says, and counts.</summary>
internal sealed class TestServerHandler : IServerHandler
{
    public Tally Connected { get; } = new();

    public Tally Closed { get; } = new();

    public Action<IPeer, byte[]> Message { get; set; } = (peer, message) => peer.Send(message);

    public void OnConnected(IPeer peer, WorkerStatistics worker) => Connected.Add();

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => Message(peer, message.ToArray());

    public void OnClosed(IPeer peer, WorkerStatistics worker) => Closed.Add();
}

/// <summary>Clients that do what the test says, and count.</summary>
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
