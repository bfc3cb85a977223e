using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

internal sealed class PacedClients(RunPlan plan, RunRecorder recorder) : WindowClients(plan, recorder)
{
    // Every answer may be missing until its message is given up, which happens a tick late.
    private static readonly TimeSpan s_reserve = 2 * ClientSetup.TickInterval;

    private readonly int _capacity = (int)Math.Min(
        Array.MaxLength, Math.Ceiling(plan.Rate!.Value / plan.Clients * (plan.LossDeadline + s_reserve).TotalSeconds) + 2);

    public override void OnDue(IPeer peer, long due, WorkerStatistics worker) => WindowOf(peer).Send(due, worker);

    public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => WindowOf(peer).OnAnswer(message, worker);

    protected override InFlightWindow CreateWindow(in WindowSetup setup) => new PacedWindow(in setup, _capacity);

    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    private static PacedWindow WindowOf(IPeer peer) => Unsafe.As<PacedWindow>(peer.State!);
}
