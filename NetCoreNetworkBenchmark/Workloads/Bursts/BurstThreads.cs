namespace NetCoreNetworkBenchmark.Workloads.Bursts;

internal sealed class BurstThreads(MessageLayout layout)
{
    private readonly List<BurstThread> _threads = [];

    // No other class keeps a state for the thread.
    public BurstThread Of(WorkerStatistics worker) => Unsafe.As<BurstThread>(worker.WorkloadState) ?? Add(worker);

    // Read after the run has drained.
    public (LatencyHistogram Times, long Broken) Sum()
    {
        var times = new LatencyHistogram();
        lock (_threads)
        {
            _threads.ForEach(thread => times.Add(thread.Times));
            return (times, _threads.Sum(thread => thread.Broken));
        }
    }

    private BurstThread Add(WorkerStatistics worker)
    {
        var added = new BurstThread(layout.CreateMessage());
        worker.WorkloadState = added;
        lock (_threads)
        {
            _threads.Add(added);
        }

        return added;
    }
}

// Only that thread writes. All its clients share the message, because a tag is written into it and it is sent at once.
internal sealed class BurstThread(byte[] message)
{
    public byte[] Message { get; } = message;

    /// <summary>The times of the bursts that ended within the measurement, in nanoseconds.</summary>
    public LatencyHistogram Times { get; } = new();

    /// <summary>The bursts that ended within the measurement and had lost messages.</summary>
    public long Broken { get; set; }
}
