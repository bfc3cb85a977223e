using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.Bursts;

internal sealed class BurstClients(RunPlan plan, RunRecorder recorder, int? bursts)
    : EndingClients(plan, recorder, "Clients that completed their bursts"), IClientHandler
{
    private readonly BurstThreads _threads = new(new MessageLayout(plan));

    public override bool IsDone => bursts is not null && base.IsDone;

    public override IReadOnlyList<WorkloadFigure> Figures
    {
        get
        {
            long broken = _threads.Sum().Broken;
            WorkloadFigure[] lost = broken == 0
                ? []
                : [new WorkloadFigure("Bursts with lost messages, whose time is not recorded", broken, string.Empty, FigureMerge.Sum)];
            return bursts is null ? lost : [.. base.Figures, .. lost];
        }
    }

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions => [("Burst", _threads.Sum().Times)];

    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<BurstWindow>(peer.State!).OnAnswer(message, worker);

    protected override InFlightWindow CreateEndingWindow(in WindowSetup setup) =>
        new BurstWindow(in setup, _threads, Plan.ParallelMessages, bursts ?? long.MaxValue);
}
