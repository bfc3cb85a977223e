using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>A relay in this process, for a measurement that is not timed.</summary>
internal sealed class LocalRelay(RunPlan plan) : IRelayHost
{
    private readonly RunRecorder _recorder = new();
    private Relay? _relay;

    public string Name => "The relay";
    public Task<Exception> Broken => _recorder.Fault;

    public Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        _relay = Relay.Start(RelaySetup.Of(plan, server, _recorder));
        return Task.FromResult(_relay.EndPoint);
    }

    public Task BeginAsync(CancellationToken cancellationToken) => _relay!.BeginAsync();

    public async Task<RelayReport> StopAsync()
    {
        await _relay!.EndAsync().ConfigureAwait(false);
        return new RelayReport(await _relay.CountAsync().ConfigureAwait(false), _recorder.Remarks());
    }

    public Task DismissAsync() => Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        if (_relay is not null)
        {
            await _relay.DisposeAsync().ConfigureAwait(false);
        }

        _recorder.Dispose();
    }
}
