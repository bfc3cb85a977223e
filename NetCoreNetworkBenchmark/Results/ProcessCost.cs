namespace NetCoreNetworkBenchmark.Results;

/// <summary>The cost of one process, as counted by the process itself. Values that a system does not report are null.</summary>
/// <param name="Messages">Messages that the process received meanwhile. At the clients these are round trips.</param>
/// <param name="Seconds">Seconds of the wall clock between the two readings.</param>
/// <param name="UserCpuSeconds">CPU seconds outside the kernel, of all threads (getrusage, ru_utime).</param>
/// <param name="SystemCpuSeconds">CPU seconds in the kernel, of all threads (getrusage, ru_stime).</param>
/// <param name="AllocatedBytes">Managed bytes allocated by all threads.</param>
/// <param name="Collections">Collections by generation, from 0; each also counts in the lower ones.</param>
/// <param name="PauseSeconds">The time in seconds for which the garbage collector stopped the threads.</param>
/// <param name="CompilationSeconds">The time in seconds for which threads compiled code (JIT). A process that was warm at the start has little of it.</param>
/// <param name="LockContentions">The number of times that a thread waited for a lock of .NET.</param>
/// <param name="PeakThreads">The most threads at any one time, counted four times per second.</param>
/// <param name="PeakResidentBytes">The largest resident memory of the process so far, in bytes.</param>
/// <param name="VoluntaryContextSwitches">The number of times that a thread gave up its core by itself, to wait (ru_nvcsw).</param>
/// <param name="InvoluntaryContextSwitches">The number of times that a thread was made to give up its core to another (ru_nivcsw).</param>
/// <param name="StoppedSeconds">The seconds in which the process was stopped or frozen, or the machine suspended; null if it was not watched.</param>
/// <param name="ClientThreadsCpuSeconds">The part of the CPU seconds of threads that only serve clients; null if there are none.</param>
/// <param name="QuotaPeriods">The periods of the control group's CPU quota (Linux: nr_periods in cpu.stat); null if there is no quota.</param>
/// <param name="ThrottledPeriods">The number of these periods in which the quota was used up (nr_throttled).</param>
public sealed record ProcessCost(
    long Messages, double Seconds, double UserCpuSeconds, double SystemCpuSeconds, long AllocatedBytes, IReadOnlyList<int> Collections, double PauseSeconds,
    double? CompilationSeconds, long? LockContentions, int PeakThreads, long? PeakResidentBytes = null, long? VoluntaryContextSwitches = null,
    long? InvoluntaryContextSwitches = null, double? StoppedSeconds = null, double? ClientThreadsCpuSeconds = null, long? QuotaPeriods = null,
    long? ThrottledPeriods = null)
{
    /// <summary>The share (0 to 1) of the periods in which the quota was used up; null if there is no quota.</summary>
    public double? ThrottledShare => QuotaPeriods is { } periods && ThrottledPeriods is { } throttled ? (double)throttled / Math.Max(1, periods) : null;

    /// <summary>CPU seconds of all threads, in the kernel and outside.</summary>
    public double CpuSeconds => UserCpuSeconds + SystemCpuSeconds;

    /// <summary>CPU seconds for each second of the wall clock: 1 is one core that is always busy; null if no time was measured.</summary>
    public double? BusyCores => Seconds > 0 ? CpuSeconds / Seconds : null;

    /// <summary>CPU time of one message in microseconds; null if no message was counted.</summary>
    public double? CpuMicrosecondsPerMessage => Messages == 0 ? null : CpuSeconds * 1e6 / Messages;

    /// <summary>Messages for each second of CPU time; null if no message or no CPU time was counted.</summary>
    public double? MessagesPerCpuSecond => Messages == 0 || CpuSeconds <= 0 ? null : Messages / CpuSeconds;

    /// <summary>Managed bytes allocated for each message; null if no message was counted.</summary>
    public double? AllocatedBytesPerMessage => Messages == 0 ? null : (double)AllocatedBytes / Messages;
}

/// <summary>Server and clients in a process each, or both in one (Combined). Null for what was not alone in its process, or did not report.</summary>
internal sealed record RunCosts(ProcessCost? Server, ProcessCost? Clients, ProcessCost? Combined);
