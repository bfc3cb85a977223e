namespace NetCoreNetworkBenchmark.Results;

/// <summary>
/// What one process cost while the measurement ran, as the process itself counted it: the answer to "the clients are what you
/// measure". Figures of a system that does not tell them are null.
/// </summary>
public sealed record ProcessCost
{
    /// <summary>Messages that the process received meanwhile; at the clients those are round trips.</summary>
    public required long Messages { get; init; }

    /// <summary>Seconds of the wall clock between the two readings.</summary>
    public required double Seconds { get; init; }

    /// <summary>CPU seconds outside the kernel, of all threads (getrusage, ru_utime).</summary>
    public required double UserCpuSeconds { get; init; }

    /// <summary>CPU seconds in the kernel, of all threads (getrusage, ru_stime).</summary>
    public required double SystemCpuSeconds { get; init; }

    /// <summary>Managed bytes allocated by all threads.</summary>
    public required long AllocatedBytes { get; init; }

    /// <summary>Collections by generation, from 0; each also counts in the lower ones.</summary>
    public required IReadOnlyList<int> Collections { get; init; }

    /// <summary>Seconds for which the garbage collector had the threads stopped.</summary>
    public required double PauseSeconds { get; init; }

    /// <summary>The most threads seen at once, looked at once a second.</summary>
    public required int PeakThreads { get; init; }

    /// <summary>The largest resident memory of the process so far, in bytes.</summary>
    public long? PeakResidentBytes { get; init; }

    /// <summary>How often a thread gave its core up by itself, to wait (ru_nvcsw).</summary>
    public long? VoluntaryContextSwitches { get; init; }

    /// <summary>How often a thread was made to give its core up to another (ru_nivcsw).</summary>
    public long? InvoluntaryContextSwitches { get; init; }

    /// <summary>CPU seconds of all threads, in the kernel and outside.</summary>
    public double CpuSeconds => UserCpuSeconds + SystemCpuSeconds;

    /// <summary>CPU time of one message in microseconds; 0 where there was none.</summary>
    public double CpuMicrosecondsPerMessage => Messages == 0 ? 0 : CpuSeconds * 1e6 / Messages;

    /// <summary>Messages for each second of CPU time; 0 where no CPU time was counted.</summary>
    public double MessagesPerCpuSecond => CpuSeconds <= 0 ? 0 : Messages / CpuSeconds;

    /// <summary>Managed bytes allocated for each message; 0 where there was none.</summary>
    public double AllocatedBytesPerMessage => Messages == 0 ? 0 : (double)AllocatedBytes / Messages;
}

/// <summary>The processes of a run: server and clients apart, or both in one.</summary>
/// <param name="Server">The server's; null where it was not alone in a process, or did not tell.</param>
/// <param name="Clients">The clients'; null where they were not alone in a process.</param>
/// <param name="Together">Both sides' where they shared one process; null otherwise.</param>
public sealed record RunCosts(ProcessCost? Server, ProcessCost? Clients, ProcessCost? Together);
