using System.Diagnostics;
using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Workloads.Bursts;

/// <summary>The clients' side. It creates a window for every connection, and knows when all bursts are complete.</summary>
/// <param name="plan">The plan.</param>
/// <param name="recorder">The recorder of errors.</param>
/// <param name="bursts">The number of bursts of each client at each start; null if the load lasts.</param>
internal sealed class BurstClients(RunPlan plan, RunRecorder recorder, int? bursts) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly BurstThreads _threads = new(new MessageLayout(plan));
    private readonly long _lossDeadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);
    private readonly List<BurstWindow> _windows = [];

    // The times of the earlier starts that were measured, in ticks.
    private readonly List<long> _wholeTimes = [];

    public bool IsDone => bursts is not null && Ended().Length >= plan.Clients;

    public IReadOnlyList<WorkloadFigure> Figures
    {
        get
        {
            long broken = _threads.Sum().Broken;
            WorkloadFigure[] lost = broken == 0
                ? []
                : [new WorkloadFigure("Bursts with lost messages, whose time is not recorded", broken, string.Empty, FigureMerge.Sum)];
            if (bursts is null)
            {
                return lost;
            }

            double[] ticks = [.. _wholeTimes.Append(WholeTime()).Where(time => time > 0)];
            return
            [
                new WorkloadFigure("Clients that completed their bursts", Ended().Length, string.Empty, FigureMerge.Sum),
                new WorkloadFigure(WorkloadFigure.WholeTime, ticks.Length == 0 ? 0 : ticks.Average() / Stopwatch.Frequency, "s", FigureMerge.Largest),
                .. lost,
            ];
        }
    }

    public IReadOnlyList<(string Name, LatencyHistogram Histogram)> Distributions => [("Burst", _threads.Sum().Times)];

    public void OnStarting()
    {
        if (WholeTime() is > 0 and var time)
        {
            _wholeTimes.Add(time);
        }

        lock (_windows)
        {
            _windows.ForEach(window => window.Prepare());
        }
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker)
    {
        lock (_windows)
        {
            var window = new BurstWindow(peer, _layout, _threads, (uint)_windows.Count + 1, plan.ParallelMessages, _lossDeadline);
            _windows.Add(window);
            peer.State = window;
        }
    }

    public void OnStart(IPeer peer, WorkerStatistics worker) => WindowOf(peer).Start(bursts ?? long.MaxValue, worker);

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => WindowOf(peer).OnAnswer(message, worker);

    public void OnDue(IPeer peer, long due, WorkerStatistics worker) => throw new InvalidOperationException("Bursts have no schedule.");

    public void OnTick(IPeer peer, WorkerStatistics worker) => WindowOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        WindowOf(peer).Abandon(worker);
        recorder.CountDisconnect(RunRecorder.ServerLost);
    }

    // OnConnected is the first call for a peer. It sets the state, which only this class writes.
    private static BurstWindow WindowOf(IPeer peer) => Unsafe.As<BurstWindow>(peer.State!);

    // From the first message of the first client to the last answer of the last one, in ticks; 0 if the load was not measured to its end.
    private long WholeTime()
    {
        BurstWindow[] ended = Ended();
        return ended.Length < plan.Clients || !ended.All(window => window.WasMeasured)
            ? 0
            : ended.Max(window => window.EndedAt) - ended.Min(window => window.StartedAt);
    }

    private BurstWindow[] Ended()
    {
        lock (_windows)
        {
            return [.. _windows.Where(window => window.EndedAt != 0)];
        }
    }
}
