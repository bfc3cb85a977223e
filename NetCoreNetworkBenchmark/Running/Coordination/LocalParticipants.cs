using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

internal sealed class LocalServer(RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter) : IServerHost
{
    private Task<ServerSide>? _starting;
    private ServerSide? _server;
    private ServerFigures? _figures;

    public Task<Exception> Broken { get; private set; } = new TaskCompletionSource<Exception>().Task;

    public async Task<ServerAddress> StartAsync(CancellationToken cancellationToken)
    {
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken).ConfigureAwait(false);
        RunCredentials? credentials = RunCredentials.For(plan);

        // On another thread, so that a library that blocks it is bounded by the deadline of the start.
        _starting = Task.Run(() => new ServerSide(plan, library, workload, endPoint, meter, credentials?.Server), cancellationToken);
        _server = await _starting.ConfigureAwait(false);
        _figures = new ServerFigures(_server);
        Broken = BrokenAsync(_server);
        return new ServerAddress(_server.EndPoint, credentials?.Clients);
    }

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) => Task.FromResult(ProcessMemory.Read());

    public Task EnterAsync(RunPhase phase)
    {
        _figures!.Enter(phase);
        return Task.CompletedTask;
    }

    public Task<ServerReport?> StopAsync() => Task.FromResult<ServerReport?>(_figures!.Report());

    public Task DismissAsync()
    {
        _server!.EnterStop();
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        if (_starting is null)
        {
            return;
        }

        // A start that was given up may still end, and its server then, too.
        Task<Task> stopping = _starting.ContinueWith(
            started => started.IsCompletedSuccessfully ? started.Result.DisposeAsync().AsTask() : Task.CompletedTask,
            CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        if (await Task.WhenAny(stopping, Task.Delay(plan.StopDeadline)).ConfigureAwait(false) == stopping)
        {
            await stopping.Unwrap().ConfigureAwait(false);
        }
    }

    private static async Task<Exception> BrokenAsync(ServerSide server)
    {
        Exception reason = await server.Fault.ConfigureAwait(false);
        return new BenchmarkException($"The run failed: {reason.Message}", reason);
    }
}

/// <param name="endsWithServer">Whether only the clients can notice the end of the server.</param>
internal sealed class LocalLoadGenerator(
    RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter, bool endsWithServer = false) : ILoadGenerator
{
    private readonly TaskCompletionSource<Exception> _broken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _disposing = new();
    private ClientSide? _clients;
    private Task _work = Task.CompletedTask;

    public Task<Exception> Broken => _broken.Task;

    public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken) => _work = DoAsync(
        async token => _clients = await Task.Run(
            () => ClientSide.ConnectAsync(plan, library, workload, meter, coordinator, server, endsWithServer, token), token).ConfigureAwait(false),
        cancellationToken);

    public Task<ClientReport> LoadAsync(CancellationToken stop) => WorkAsync(_clients!.LoadAsync, stop);

    public Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken) =>
        WorkAsync(token => _clients!.SliceAsync(command, token), cancellationToken);

    public Task<ClientReport> ReportAsync() => Task.FromResult(_clients!.Report(aborted: false));

    public Task DismissAsync()
    {
        _clients!.EnterStop();
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        // The outcome of work that was given up does not matter.
        await _disposing.CancelAsync().ConfigureAwait(false);
        await Task.WhenAny(_work, Task.Delay(plan.StopDeadline)).ConfigureAwait(false);
        if (_clients is not null)
        {
            await _clients.DisposeAsync().ConfigureAwait(false);
        }

        _disposing.Dispose();
    }

    private async Task<T> WorkAsync<T>(Func<CancellationToken, Task<T>> work, CancellationToken cancellationToken)
    {
        T? result = default;
        try
        {
            await (_work = DoAsync(async token => result = await work(token).ConfigureAwait(false), cancellationToken)).ConfigureAwait(false);
        }
        catch (BenchmarkException exception)
        {
            // The other load generators are not waited for.
            _broken.TrySetResult(exception);
            throw;
        }

        return result!;
    }

    private async Task DoAsync(Func<CancellationToken, Task> work, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _disposing.Token);
        await work(over.Token).ConfigureAwait(false);
    }
}
