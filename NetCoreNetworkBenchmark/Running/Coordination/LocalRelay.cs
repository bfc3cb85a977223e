using NetCoreNetworkBenchmark.Impairment;
using NetCoreNetworkBenchmark.Running.Machine.Limits;

namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>A relay in this process, for a measurement that is not timed.</summary>
internal sealed class LocalRelay(RunPlan plan) : IRelayHost
{
    private readonly RunRecorder _recorder = new();
    private Relay? _relay;
    private RelayCounts? _before;

    public string Name => "The relay";
    public Task<Exception> Broken => _recorder.Fault;

    public Task<IPEndPoint> StartAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        _relay = Relay.Start(RelaySetup.From(plan, server, _recorder) with { MaxSockets = DescriptorLimit.ForSockets });
        return Task.FromResult(_relay.EndPoint);
    }

    public async Task BeginAsync(CancellationToken cancellationToken) => _before = await QuietPath.BeginAsync(_relay!, plan.Clients, cancellationToken);

    public async Task<RelayReport> StopAsync()
    {
        await _relay!.EndAsync();
        RelayCounts counts = await _relay.CountAsync();
        return new RelayReport(
            counts with { ToServer = SinceBegin(counts.ToServer, _before?.ToServer), ToClients = SinceBegin(counts.ToClients, _before?.ToClients) },
            _recorder.Remarks());
    }

    public async ValueTask DisposeAsync()
    {
        if (_relay is not null)
        {
            await _relay.DisposeAsync();
        }

        _recorder.Dispose();
    }

    // The relay counts what it missed over its whole life.
    private static RelayDirectionCounts SinceBegin(RelayDirectionCounts counts, RelayDirectionCounts? before) =>
        counts with { Missed = counts.Missed - (before?.Missed ?? 0) };
}

internal static class QuietPath
{
    private const double PacketsOfQuietClient = 0.1;
    private const int MaxRests = 20;
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(50);

    /// <summary>Late acknowledgements and a retransmitted hello follow from connecting and are not of the load. Heartbeats go on.</summary>
    /// <returns>The counts of what came before the load, from which the relay counts again.</returns>
    public static async Task<RelayCounts> BeginAsync(Relay relay, int clients, CancellationToken cancellationToken)
    {
        await relay.BeginAsync();
        RelayCounts before = await WaitAsync(relay, clients, cancellationToken);
        await relay.BeginAsync();
        return before;
    }

    private static async Task<RelayCounts> WaitAsync(Relay relay, int clients, CancellationToken cancellationToken)
    {
        RelayCounts last = await relay.CountAsync();
        for (int rest = 0; rest < MaxRests; rest++)
        {
            long before = Packets(last);
            await Task.Delay(s_rest, cancellationToken);
            last = await relay.CountAsync();
            if (Packets(last) - before <= PacketsOfQuietClient * clients)
            {
                break;
            }
        }

        return last;
    }

    private static long Packets(RelayCounts counts) => counts.ToServer.Received + counts.ToClients.Received;
}
