namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// OnMessage and OnDue belong to the derived class, which knows the type of its windows: a message costs no virtual call to its window.
internal abstract class WindowClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly long _lossDeadline = RunRecorder.ToTicks(plan.LossDeadline);
    private readonly long _think = RunRecorder.ToTicks(plan.Think);
    private uint _lastClient;

    public virtual bool IsDone => false;

    public virtual IReadOnlyList<WorkloadFigure> ComputeFigures() => [];

    public virtual void OnStarting()
    {
        // Nothing of an earlier start is kept.
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker) =>
        peer.State = CreateWindow(new WindowSetup(peer, Interlocked.Increment(ref _lastClient), _layout, _lossDeadline, _think));

    public virtual void OnStart(IPeer peer, WorkerStatistics worker) => WindowOf(peer).Start(worker);

    public abstract void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker);

    public virtual void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        ((ClosedWindow)peer.State!).OnDue(worker);

    public void OnTick(IPeer peer, WorkerStatistics worker) => WindowOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        WindowOf(peer).Abandon(worker);
        recorder.CountDisconnect(RunRecorder.ServerLost);
    }

    protected RunPlan Plan => plan;

    protected abstract InFlightWindow CreateWindow(in WindowSetup setup);

    public static InFlightWindow WindowOf(IPeer peer) => (InFlightWindow)peer.State!;
}

internal abstract class EndingClients(RunPlan plan, RunRecorder recorder, string completed) : WindowClients(plan, recorder)
{
    private readonly ConcurrentQueue<InFlightWindow> _windows = new();

    // The times of the earlier starts that were measured, in ticks.
    private readonly List<long> _wholeTimes = [];

    // A client whose connection has ended is done too: nothing can be awaited of it.
    public override bool IsDone => _windows.Count >= Plan.Clients && _windows.All(window => window.EndedAt != 0 || window.IsClosed);

    public override IReadOnlyList<WorkloadFigure> ComputeFigures()
    {
        double[] ticks = [.. _wholeTimes.Append(WholeTime()).Where(time => time > 0)];
        return
        [
            new WorkloadFigure(completed, Ended().Length, string.Empty, FigureMerge.Sum),
            new WorkloadFigure(WorkloadFigure.WholeTime, ticks.Length == 0 ? 0 : ticks.Average() / Stopwatch.Frequency, "s", FigureMerge.Largest),
        ];
    }

    public static IEnumerable<string> FindMissing(RunPlan plan, LoadOutcome outcome, long expected) =>
        outcome.Aborted || outcome.Answered + outcome.Lost >= expected ? [] :
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"Only {outcome.Answered:N0} of {expected:N0} messages were answered within {plan.Duration.TotalSeconds:0.#} s."),
        ];

    public override void OnStarting()
    {
        if (WholeTime() is > 0 and var time)
        {
            _wholeTimes.Add(time);
        }

        foreach (InFlightWindow window in _windows)
        {
            window.Prepare();
        }
    }

    public sealed override void OnStart(IPeer peer, WorkerStatistics worker)
    {
        // Thousands of clients start one after the other in a single call of their thread. The time of each one counts from its own start.
        worker.ReadClock();
        base.OnStart(peer, worker);
    }

    protected sealed override InFlightWindow CreateWindow(in WindowSetup setup)
    {
        InFlightWindow window = CreateEndingWindow(in setup);
        _windows.Enqueue(window);
        return window;
    }

    protected abstract InFlightWindow CreateEndingWindow(in WindowSetup setup);

    protected InFlightWindow[] Ended() => [.. _windows.Where(window => window.EndedAt != 0)];

    // From the first message of the first client to the last answer of the last one, in ticks; 0 if the load was not measured to its end.
    private long WholeTime()
    {
        InFlightWindow[] ended = Ended();
        return ended.Length < Plan.Clients || !ended.All(window => window.WasMeasured)
            ? 0
            : ended.Max(window => window.EndedAt) - ended.Min(window => window.StartedAt);
    }
}

// Each client makes a number of round trips in a closed loop.
internal class CountedClients(RunPlan plan, RunRecorder recorder, string completed, int count) : EndingClients(plan, recorder, completed)
{
    // OnConnected is the first call for a peer. It sets the state, which no other class writes.
    public sealed override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) =>
        Unsafe.As<ClosedWindow>(peer.State!).OnAnswer(message, worker);

    protected sealed override InFlightWindow CreateEndingWindow(in WindowSetup setup) =>
        new ClosedWindow(in setup, Math.Min(Plan.ParallelMessages, count), count);
}
