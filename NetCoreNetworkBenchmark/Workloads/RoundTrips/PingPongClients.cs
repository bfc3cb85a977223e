using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

internal sealed class PingPongClients(RunPlan plan, RunRecorder recorder) : WindowClients(plan, recorder)
{
    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<ClosedWindow>(peer.State!).OnAnswer(message, worker);

    protected override InFlightWindow CreateWindow(in WindowSetup setup) => new ClosedWindow(in setup, Plan.ParallelMessages);
}
