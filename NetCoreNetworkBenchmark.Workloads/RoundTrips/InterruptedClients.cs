using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>Clients of a plan that interrupts the traffic, and how long each was silent. Other plans have the clients alone.</summary>
internal sealed class InterruptedClients(RunPlan plan, WindowClients clients) : IClientHandler
{
    private readonly ClientSilences _silences = new(plan);

    public IReadOnlyList<WorkloadFigure> ComputeFigures() => [_silences.CountEnded()];

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions => [(ClientSilences.Longest, _silences.Times())];

    public void OnDiscarded() => _silences.Clear();

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        clients.OnConnected(peer, worker);
        WindowClients.WindowOf(peer).Silence = _silences.Take(worker);
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => clients.OnStart(peer, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => clients.OnDue(peer, due, worker);

    public void OnTick(IPeer peer, WorkerStatistics worker) => clients.OnTick(peer, worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        WindowClients.WindowOf(peer).Silence!.OnAnswer(worker);
        clients.OnMessage(peer, message, worker);
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        clients.OnClosed(peer, worker);
        _silences.Leave(WindowClients.WindowOf(peer).Silence!);
    }
}
