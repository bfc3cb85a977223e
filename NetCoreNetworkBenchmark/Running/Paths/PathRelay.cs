using NetCoreNetworkBenchmark.Running.Coordination;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>The relay of a path, in a run whose sides are at its ends. The path outlives the run.</summary>
/// <param name="waitsForQuiet">Whether packets that follow from connecting are not counted: for a measurement that is not timed.</param>
internal sealed class PathRelay(NamespacePath path, int clients, bool waitsForQuiet) : IRelayHost
{
    public string Name => "The TUN pair";
    public Task<Exception> Broken => path.Broken;

    public Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken) => Task.FromResult(server);

    public async Task BeginAsync(CancellationToken cancellationToken)
    {
        await path.Relay.BeginAsync().ConfigureAwait(false);
        if (waitsForQuiet)
        {
            await QuietPath.WaitAsync(clients, path.Relay.CountAsync, cancellationToken).ConfigureAwait(false);
            await path.Relay.BeginAsync().ConfigureAwait(false);
        }
    }

    public async Task<RelayReport> StopAsync()
    {
        await path.Relay.EndAsync().ConfigureAwait(false);
        return new RelayReport(await path.Relay.CountAsync().ConfigureAwait(false) with { Clients = clients }, []);
    }

    public Task DismissAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
