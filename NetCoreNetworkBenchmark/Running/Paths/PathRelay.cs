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
        _neighbour = neighbourBitsPerSecond is { } rate ? await TcpNeighbour.StartAsync(path, rate, cancellationToken) : null;
        await (waitsForQuiet ? QuietPath.BeginAsync(path.Relay, clients, cancellationToken) : path.Relay.BeginAsync());
    }

    public void Enter(RunPhase phase) => _neighbour?.Enter(phase);

    public async Task<RelayReport> StopAsync()
    {
        NeighbourReport? neighbour = _neighbour is null ? null : await _neighbour.StopAsync();
        await path.Relay.EndAsync();
        return new RelayReport(await path.Relay.CountAsync() with { Clients = clients }, []) { Neighbour = neighbour };
    }

    public async ValueTask DisposeAsync()
    {
        if (_neighbour is not null)
        {
            await _neighbour.DisposeAsync();
        }
    }
}
