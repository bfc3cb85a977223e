using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Coordination;

internal sealed class LocalServer(RunPlan plan, INetworkBenchmark library, IWorkload workload, ProcessMeter meter) : IServerHost
{
    private ServerSide? _server;
    private ServerFigures? _figures;

    public Task<Exception> Broken { get; private set; } = new TaskCompletionSource<Exception>().Task;

    public string Remark => "Server and clients shared one process, so the server's cost is not known separately. With --launches, each side has a process.";

    public async Task<ServerAddress> StartAsync(CancellationToken cancellationToken)
    {
        IPEndPoint endPoint = await HostNames.ResolveAsync(plan, library.Info, cancellationToken).ConfigureAwait(false);
        RunCredentials? credentials = RunCredentials.For(plan);
        _server = new ServerSide(plan, library, workload, endPoint, meter, credentials?.Server);
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

    public ValueTask DisposeAsync() => _server?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static async Task<Exception> BrokenAsync(ServerSide server)
    {
        Exception reason = await server.Fault.ConfigureAwait(false);
        return new BenchmarkException($"The run failed: {reason.Message}", reason);
    }
}
