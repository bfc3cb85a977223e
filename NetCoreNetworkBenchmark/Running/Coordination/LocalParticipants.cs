using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Meters;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

internal sealed class LocalServer(RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter) : IServerHost
{
    private Task<ServerSide>? _starting;
    private ServerSide? _server;

    public Task<Exception> Broken { get; private set; } = Faults.Never;

    public async Task<ServerAddress> StartAsync(CancellationToken cancellationToken)
    {
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken);
        RunCredentials? credentials = RunCredentials.For(plan);

        // On another thread, so that a library that blocks it is bounded by the deadline of the start.
        _starting = Task.Run(() => new ServerSide(plan, library, workload, endPoint, meter, credentials?.Server), cancellationToken);
        _server = await _starting;
        Broken = _server.Fault.NamedAsync("The run");
        return new ServerAddress(_server.EndPoint, credentials?.Clients);
    }

    public Task<ProcessMemory> ReadMemoryAsync(CancellationToken cancellationToken) => Task.FromResult(ProcessMemory.Read());

    public void Enter(RunPhase phase) => _server!.Enter(phase);

    public void DiscardSlices() => _server!.DiscardSlices();

    public Task<ServerReport?> StopAsync() => Task.FromResult<ServerReport?>(_server!.Report());

    public void Dismiss() => _server!.EnterStop();

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
        if (await Task.WhenAny(stopping, Task.Delay(plan.StopDeadline)) == stopping)
        {
            await stopping.Unwrap();
        }
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

    public Task ConnectAsync(ServerAddress server, ICoordinator coordinator, CancellationToken cancellationToken) => UntilDisposedAsync(
        async token => _clients = await Task.Run(
            () => ClientSide.ConnectAsync(plan, library, workload, meter, coordinator, server, endsWithServer, token), token),
        cancellationToken);

    public Task<ClientReport> LoadAsync(CancellationToken stop) => WorkAsync(_clients!.LoadAsync, stop);

    public Task<SliceReport> SliceAsync(SliceCommand command, CancellationToken cancellationToken) =>
        WorkAsync(token => _clients!.SliceAsync(command, token), cancellationToken);

    public Task<ClientReport> ReportAsync() => Task.FromResult(_clients!.Report(aborted: false));

    public void Dismiss() => _clients!.EnterStop();

    public async ValueTask DisposeAsync()
    {
        // The outcome of work that was given up does not matter.
        await _disposing.CancelAsync();
        await Task.WhenAny(_work, Task.Delay(plan.StopDeadline));
        if (_clients is not null)
        {
            await _clients.DisposeAsync();
        }

        _disposing.Dispose();
    }

    private async Task<T> WorkAsync<T>(Func<CancellationToken, Task<T>> work, CancellationToken cancellationToken)
    {
        try
        {
            return await UntilDisposedAsync(work, cancellationToken);
        }
        catch (BenchmarkException exception)
        {
            // The other load generators are not waited for.
            _broken.TrySetResult(exception);
            throw;
        }
    }

    private async Task<T> UntilDisposedAsync<T>(Func<CancellationToken, Task<T>> work, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _disposing.Token);
        Task<T> result = work(over.Token);
        _work = result;
        return await result;
    }
}
