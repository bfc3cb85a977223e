using NetCoreNetworkBenchmark.Running.Coordination;

namespace NetCoreNetworkBenchmark.Running.Paths;

/// <summary>The relay of a path, in a run whose sides are at its ends. The path outlives the run.</summary>
/// <param name="waitsForQuiet">Whether packets that follow from connecting are not counted: for a measurement that is not timed.</param>
internal sealed class PathRelay(NamespacePath path, int clients, bool waitsForQuiet, long? neighbourBitsPerSecond = null) : IRelayHost
{
    private TcpNeighbour? _neighbour;

    public string Name => "The TUN pair";
    public Task<Exception> Broken => path.Broken;

    public Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken) => Task.FromResult(server);

    public async Task BeginAsync(CancellationToken cancellationToken)
    {
        // It connects while no packet is lost, and fills the queue before the measurement.
        _neighbour = neighbourBitsPerSecond is { } rate ? await TcpNeighbour.StartAsync(path, rate, cancellationToken).ConfigureAwait(false) : null;
        await (waitsForQuiet ? QuietPath.BeginAsync(path.Relay, clients, cancellationToken) : path.Relay.BeginAsync()).ConfigureAwait(false);
    }

    public void Enter(RunPhase phase) => _neighbour?.Enter(phase);

    public async Task<RelayReport> StopAsync()
    {
        NeighbourReport? neighbour = _neighbour is null ? null : await _neighbour.StopAsync().ConfigureAwait(false);
        await path.Relay.EndAsync().ConfigureAwait(false);
        return new RelayReport(await path.Relay.CountAsync().ConfigureAwait(false) with { Clients = clients }, []) { Neighbour = neighbour };
    }

    public async ValueTask DisposeAsync()
    {
        if (_neighbour is not null)
        {
            await _neighbour.DisposeAsync().ConfigureAwait(false);
        }
    }
}
