using System.Diagnostics;
using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.RoundTrips;

/// <summary>The clients' side of the open loop. It creates a stream for every connection, and forwards the calls to it.</summary>
internal sealed class PacedClients : IClientHandler
{
    // Every answer may be missing until its message is given up, which happens a tick late.
    private static readonly TimeSpan s_reserve = 2 * ClientSetup.TickInterval;

    private readonly RunRecorder _recorder;
    private readonly MessageLayout _layout;
    private readonly long _lossDeadline;
    private readonly int _capacity;
    private uint _lastClient;

    public PacedClients(RunPlan plan, RunRecorder recorder)
    {
        _recorder = recorder;
        _layout = new MessageLayout(plan);
        _lossDeadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);
        double mostInFlight = plan.Rate!.Value / plan.Clients * (plan.LossDeadline + s_reserve).TotalSeconds;
        _capacity = (int)Math.Min(Array.MaxLength / 2, Math.Ceiling(mostInFlight) + 2);
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker) =>
        peer.State = new PacedStream(peer, _layout, Interlocked.Increment(ref _lastClient), _capacity, _lossDeadline);

    public void OnStart(IPeer peer, WorkerStatistics worker)
    {
        // No message is sent before it is due.
    }

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => StreamOf(peer).Send(due, worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => StreamOf(peer).OnAnswer(message, worker);

    public void OnTick(IPeer peer, WorkerStatistics worker) => StreamOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        StreamOf(peer).Abandon(worker);
        _recorder.CountDisconnect(RunRecorder.ServerLost);
    }

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static PacedStream StreamOf(IPeer peer) => Unsafe.As<PacedStream>(peer.State!);
}
