using NetCoreNetworkBenchmark.Running.Coordination;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>For a measurement that is not timed. The path outlives the counter.</summary>
internal sealed class PathCounter(NamespacePath path, int clients) : IRelayHost
{
    private PathCounts? _begin;

    public string Name => "The TUN pair";
    public Task<Exception> Broken => path.Broken;

    public Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken) => Task.FromResult(server);

    public async Task BeginAsync(CancellationToken cancellationToken)
    {
        PathCounts connected = await path.CountAsync(cancellationToken).ConfigureAwait(false);
        await QuietPath.WaitAsync(
            clients,
            async () => (await path.CountAsync(cancellationToken).ConfigureAwait(false)).Since(connected, clients),
            cancellationToken).ConfigureAwait(false);
        _begin = await path.CountAsync(cancellationToken).ConfigureAwait(false);
    }

    public async Task<RelayReport> StopAsync() =>
        new((await path.CountAsync(CancellationToken.None).ConfigureAwait(false)).Since(_begin!, clients), []);

    public Task DismissAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
