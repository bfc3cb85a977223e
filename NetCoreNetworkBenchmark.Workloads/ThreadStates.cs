namespace NetCoreNetworkBenchmark.Workloads;

/// <summary>Only the thread of a state writes it. A workload keeps one kind of state.</summary>
internal sealed class ThreadStates<T>(Func<T> create)
    where T : class
{
    private readonly ConcurrentQueue<T> _all = new();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Of(WorkerStatistics worker) => Unsafe.As<T>(worker.WorkloadState) ?? Add(worker);

    /// <summary>Read them after the run has drained.</summary>
    public IEnumerable<T> All => _all;

    // Once for each thread.
    private T Add(WorkerStatistics worker)
    {
        T added = create();
        worker.WorkloadState = added;
        _all.Enqueue(added);
        return added;
    }
}
