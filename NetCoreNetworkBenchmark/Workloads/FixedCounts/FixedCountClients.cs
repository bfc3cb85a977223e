using System.Diagnostics;
using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.FixedCounts;

/// <summary>The clients' side. It creates a sequence of round trips for every connection, and knows when all of them are complete.</summary>
internal sealed class FixedCountClients(RunPlan plan, RunRecorder recorder, int count) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly long _lossDeadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);
    private readonly List<RoundTripSequence> _sequences = [];

    public bool IsDone => Completed().Length >= plan.Clients;

    public IReadOnlyList<WorkloadFigure> Figures
    {
        get
        {
            RoundTripSequence[] completed = Completed();
            long ticks = completed.Length == 0 ? 0 : completed.Max(sequence => sequence.EndedAt) - completed.Min(sequence => sequence.StartedAt);
            return
            [
                new WorkloadFigure("Clients that completed their messages", completed.Length, string.Empty, FigureMerge.Sum),
                new WorkloadFigure(WorkloadFigure.WholeTime, (double)ticks / Stopwatch.Frequency, "s", FigureMerge.Largest),
            ];
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        lock (_sequences)
        {
            var sequence = new RoundTripSequence(
                peer, _layout, (uint)_sequences.Count + 1, Math.Min(plan.ParallelMessages, count), count, _lossDeadline);
            _sequences.Add(sequence);
            peer.State = sequence;
        }
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => SequenceOf(peer).Start(worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => SequenceOf(peer).OnAnswer(message, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        throw new InvalidOperationException("A fixed number of round trips has no schedule.");

    public void OnTick(IPeer peer, WorkerStatistics worker) => SequenceOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker) => recorder.CountError(RunRecorder.ServerLost);

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static RoundTripSequence SequenceOf(IPeer peer) => Unsafe.As<RoundTripSequence>(peer.State!);

    private RoundTripSequence[] Completed()
    {
        lock (_sequences)
        {
            return [.. _sequences.Where(sequence => sequence.EndedAt != 0)];
        }
    }
}
