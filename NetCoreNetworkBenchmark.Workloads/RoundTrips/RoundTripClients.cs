using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

internal abstract class RoundTripClients(RunPlan plan, RunRecorder recorder) : WindowClients(plan, recorder), IClientHandler
{
    private readonly ClientSilences? _silences = plan.Impairment.HasInterruptions ? new ClientSilences(plan) : null;

    public override IReadOnlyList<WorkloadFigure> ComputeFigures() => _silences is null ? [] : [_silences.CountEnded()];

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions =>
        _silences is null ? [] : [(ClientSilences.Longest, _silences.Times())];

    public void OnDiscarded() => _silences?.Clear();

    public override void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        base.OnConnected(peer, worker);
        WindowOf(peer).Silence = _silences?.Take(worker);
    }

    public override void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        base.OnClosed(peer, worker);
        if (WindowOf(peer).Silence is { } silence)
        {
            _silences!.Leave(silence);
        }
    }
}
