namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>Shows the cost of the harness and of one copy in each direction.</summary>
public class MemoryLibrary : IAsyncDisposable
{
    private const int Operations = 200_000;

    private readonly RunRecorder _recorder = new();
    private IBenchmarkServer? _server;
    private IClientGroup? _clients;
    private CountedRoundTrips? _handler;

    [GlobalSetup]
    public async Task SetUpAsync()
    {
        RunPlan plan = Sample.Plan;
        var library = new MemoryBenchmark();
        var workload = new PingPong();
        _handler = new CountedRoundTrips(workload.CreateClientHandler(plan, _recorder), _recorder, plan.Clients * plan.ParallelMessages);
        _server = library.StartServer(new ServerSetup
        {
            EndPoint = new IPEndPoint(IPAddress.Loopback, plan.Port),
            Plan = plan,
            Handler = workload.CreateServerHandler(plan, _recorder),
            Recorder = _recorder,
        });
        var setup = new ClientSetup { EndPoint = _server.EndPoint, Plan = plan, Handler = _handler, Recorder = _recorder };
        _clients = await library.ConnectAsync(setup, CancellationToken.None).ConfigureAwait(false);
    }

    [Benchmark(OperationsPerInvoke = Operations)]
    public long RoundTrip()
    {
        _handler!.Make(Operations, _clients!);
        return _recorder.Count(RunPhase.Measure, RunPhase.Drain).ClientReceived;
    }

    [GlobalCleanup]
    public Task CleanUpAsync() => DisposeAsync().AsTask();

    public async ValueTask DisposeAsync()
    {
        await _clients!.DisposeAsync().ConfigureAwait(false);
        await _server!.DisposeAsync().ConfigureAwait(false);
        _handler!.Dispose();
        _recorder.Dispose();
        GC.SuppressFinalize(this);
    }
}
