namespace NetCoreNetworkBenchmark.Workloads.InFlight;

// OnMessage and OnDue belong to the derived class, which knows the type of its windows: a message costs no virtual call to its window.
internal abstract class WindowClients(RunPlan plan, RunRecorder recorder) : IClientHandler
{
    private readonly MessageLayout _layout = new(plan);
    private readonly long _lossDeadline = (long)(plan.LossDeadline.TotalSeconds * Stopwatch.Frequency);
    private uint _lastClient;

    public virtual bool IsDone => false;

    public virtual IReadOnlyList<WorkloadFigure> Figures => [];

    public virtual void OnStarting()
    {
        // Nothing of an earlier start is kept.
    }

    public void OnConnected(IPeer peer, WorkerStatistics worker) =>
        peer.State = CreateWindow(new WindowSetup(peer, Interlocked.Increment(ref _lastClient), _layout, _lossDeadline));

    public virtual void OnStart(IPeer peer, WorkerStatistics worker) => WindowOf(peer).Start(worker);

    public abstract void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker);

    public virtual void OnDue(IPeer peer, long due, WorkerStatistics worker) =>
        throw new InvalidOperationException("A closed loop has no schedule.");

    public void OnTick(IPeer peer, WorkerStatistics worker) => WindowOf(peer).OnTick(worker);

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        WindowOf(peer).Abandon(worker);
        recorder.CountDisconnect(RunRecorder.ServerLost);
    }

    protected RunPlan Plan => plan;

    protected abstract InFlightWindow CreateWindow(in WindowSetup setup);

    private static InFlightWindow WindowOf(IPeer peer) => (InFlightWindow)peer.State!;
}
