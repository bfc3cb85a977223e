using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.FixedCounts;

internal sealed class FixedCountClients(RunPlan plan, RunRecorder recorder, int count)
    : EndingClients(plan, recorder, "Clients that completed their messages")
{
    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<ClosedWindow>(peer.State!).OnAnswer(message, worker);

    protected override InFlightWindow CreateEndingWindow(in WindowSetup setup) =>
        new ClosedWindow(in setup, Math.Min(Plan.ParallelMessages, count), count);
}
