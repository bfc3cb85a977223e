using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Histograms;
using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Workloads.Bursts;

/// <summary>What each thread of the clients keeps for itself.</summary>
/// <param name="layout">The layout of the messages.</param>
internal sealed class BurstThreads(MessageLayout layout)
{
    private readonly List<BurstThread> _threads = [];

    /// <summary>Returns the state of a thread.</summary>
    /// <param name="worker">The statistics of the calling thread, which no other class uses for a state of its own.</param>
    public BurstThread Of(WorkerStatistics worker) => Unsafe.As<BurstThread>(worker.WorkloadState) ?? Add(worker);

    /// <summary>Returns the times of the bursts of all threads, and the number of bursts with lost messages. Read after the run has drained.</summary>
    public (LatencyHistogram Times, long Broken) Sum()
    {
        var times = new LatencyHistogram();
        lock (_threads)
        {
            _threads.ForEach(thread => times.Add(thread.Times));
            return (times, _threads.Sum(thread => thread.Broken));
        }
    }

    // Once for each thread.
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

/// <summary>The state of one thread. Only that thread writes.</summary>
/// <param name="message">A message with its load in place. All clients of the thread share it, because a tag is written into it and it is sent at once.</param>
internal sealed class BurstThread(byte[] message)
{
    public byte[] Message { get; } = message;

    /// <summary>The times of the bursts that ended within the measurement, in nanoseconds.</summary>
    public LatencyHistogram Times { get; } = new();

    /// <summary>The bursts that ended within the measurement and had lost messages.</summary>
    public long Broken { get; set; }
}
