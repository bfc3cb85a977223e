using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.Capacity;

// A client is served if its message was answered within the loss deadline from the start of the load. A late answer is received, as in every workload, but
// its client is not served.
internal sealed class SingleRoundTripClients(RunPlan plan, RunRecorder recorder) : EndingClients(plan, recorder, WorkloadFigure.ClientsServed)
{
    private readonly long _deadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);

    public override IReadOnlyList<WorkloadFigure> Figures =>
    [
        new WorkloadFigure(
            WorkloadFigure.ClientsServed,
            Ended().Count(window => window.EndedAt - window.StartedAt <= _deadline),
            string.Empty,
            FigureMerge.Sum),
    ];

    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<ClosedWindow>(peer.State!).OnAnswer(message, worker);

    protected override InFlightWindow CreateEndingWindow(in WindowSetup setup) => new ClosedWindow(in setup, slots: 1, count: 1);
}
