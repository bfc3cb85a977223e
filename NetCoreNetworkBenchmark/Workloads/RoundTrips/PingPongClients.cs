using System.Diagnostics;
using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>The clients' side. It creates a window for every connection, and forwards the calls to it.</summary>
internal sealed class PingPongClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly long _lossDeadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);
    private uint _lastClient;

    public void OnConnected(IPeer peer, WorkerStatistics worker) =>
        peer.State = new PingPongWindow(peer, _layout, Interlocked.Increment(ref _lastClient), plan.ParallelMessages, _lossDeadline);

    public void OnStart(IPeer peer, WorkerStatistics worker) => WindowOf(peer).Fill(worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => WindowOf(peer).OnAnswer(message, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        throw new InvalidOperationException("A closed loop has no schedule.");

    public void OnTick(IPeer peer, WorkerStatistics worker) => WindowOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        WindowOf(peer).Abandon(worker);
        recorder.CountDisconnect(RunRecorder.ServerLost);
    }

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static PingPongWindow WindowOf(IPeer peer) => Unsafe.As<PingPongWindow>(peer.State!);
}
