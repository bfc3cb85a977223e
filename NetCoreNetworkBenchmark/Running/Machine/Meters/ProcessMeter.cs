using System.Runtime;
using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Machine.Native;

namespace NetCoreNetworkBenchmark.Running.Machine.Meters;

/// <summary>Can be used from any thread. Threads are counted only when <see cref="CountThreads"/> is called.</summary>
internal sealed class ProcessMeter
{
    private const int MaxStatBytes = 1024;
    private static readonly long s_countInterval = Stopwatch.Frequency / 4;

    // Kept open: a server whose connections use up its descriptors could not open it (EMFILE).
    private static readonly SafeFileHandle? s_stat = OperatingSystem.IsLinux() ? SystemFiles.TryOpen("/proc/self/stat") : null;

    private readonly Lock _lock = new();
    private readonly ControlGroup _group = new();
    private long _nextCount;
    private int _peakThreads;
    private IReadOnlyList<int> _others = [];
    private IReadOnlyList<int> _clientThreads = [];

    private bool KnowsPeak { get; init; } = true;

    /// <summary>Applies from now on, and only on Linux.</summary>
    public void Include(IReadOnlyList<int> processes) => Volatile.Write(ref _others, processes);

    /// <summary>Applies from now on, and only on Linux.</summary>
    public void CountSeparately(IReadOnlyList<int> threads) => Volatile.Write(ref _clientThreads, threads);

    public void CountThreads()
    {
        long now = Stopwatch.GetTimestamp();
        if (Interlocked.Exchange(ref _nextCount, now + s_countInterval) is var next && now < next)
        {
            Volatile.Write(ref _nextCount, next);
            return;
        }

        int threads = ThreadCount() + Volatile.Read(ref _others).Sum(OtherProcess.ThreadCount);
        lock (_lock)
        {
            _peakThreads = Math.Max(_peakThreads, threads);
        }
    }

    public ProcessSnapshot Read()
    {
        CountThreads();

        // First, since reading what threads have allocated may stop them.
        long now = Stopwatch.GetTimestamp();
        Environment.ProcessCpuUsage cpu = Environment.CpuUsage;
        SysResource.RUsage? usage = Usage();
        (long All, long Throttled)? periods = _group.ReadPeriods();
        OtherProcess[] others = [.. Volatile.Read(ref _others).Select(OtherProcess.Read)];
        return new ProcessSnapshot(
            now,
            (usage?.ru_utime.Seconds ?? cpu.UserTime.TotalSeconds) + others.Sum(process => process.UserSeconds),
            (usage?.ru_stime.Seconds ?? cpu.PrivilegedTime.TotalSeconds) + others.Sum(process => process.SystemSeconds),
            GC.GetTotalAllocatedBytes(precise: true),
            [.. Enumerable.Range(0, GC.MaxGeneration + 1).Select(GC.CollectionCount)],
            GC.GetTotalPauseDuration(),
            JitInfo.GetCompilationTime(),
            Monitor.LockContentionCount,
            usage?.ru_nvcsw + others.Sum(process => process.VoluntarySwitches),
            usage?.ru_nivcsw + others.Sum(process => process.InvoluntarySwitches),
            periods?.All,
            periods?.Throttled,
            ClientThreadSeconds());
    }

    public TimeSpan CpuTime()
    {
        TimeSpan own = Environment.CpuUsage.TotalTime;
        IReadOnlyList<int> others = Volatile.Read(ref _others);
        return others.Count == 0
            ? own
            : own + TimeSpan.FromSeconds(others.Select(OtherProcess.Read).Sum(process => process.UserSeconds + process.SystemSeconds));
    }

    public ProcessCost CostOf(ProcessSnapshot used, long messages) => new(
        Messages: messages,
        Seconds: Stopwatch.GetElapsedTime(0, used.Timestamp).TotalSeconds,
        UserCpuSeconds: used.UserSeconds,
        SystemCpuSeconds: used.SystemSeconds,
        AllocatedBytes: used.AllocatedBytes,
        Collections: used.Collections,
        PauseSeconds: used.Pause.TotalSeconds,
        CompilationSeconds: used.Compilation.TotalSeconds,
        LockContentions: used.LockContentions,
        PeakThreads: Volatile.Read(ref _peakThreads),
        PeakResidentBytes: PeakResidentBytes(),
        VoluntaryContextSwitches: used.VoluntarySwitches,
        InvoluntaryContextSwitches: used.InvoluntarySwitches,
        ClientThreadsCpuSeconds: used.ClientThreadSeconds,
        QuotaPeriods: used.QuotaPeriods,
        ThrottledPeriods: used.ThrottledPeriods);

    /// <summary>The peak of the resident memory begins anew (proc_pid_clear_refs(5)). It is unknown if the system does not allow that.</summary>
    public static ProcessMeter ForNextRun()
    {
        ProcessMemory.Collect();
        try
        {
            File.WriteAllText("/proc/self/clear_refs", "5");
            return new ProcessMeter();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new ProcessMeter { KnowsPeak = false };
        }
    }

    // The first number is the time on a core in nanoseconds (Documentation/scheduler/sched-stats.rst).
    private double? ClientThreadSeconds()
    {
        long?[] times =
        [
            .. Volatile.Read(ref _clientThreads)
                .Select(thread => SystemFiles.ReadLine($"/proc/self/task/{thread}/schedstat")?.Split(' ')[0])
                .Select(text => SystemFiles.NumberOf(text)),
        ];
        return times.Length > 0 && times.All(time => time is not null) ? times.Sum() / 1e9 : null;
    }

    private static SysResource.RUsage? Usage() =>
        OperatingSystem.IsLinux() && Environment.Is64BitProcess && SysResource.getrusage(SysResource.RUSAGE_SELF, out SysResource.RUsage usage) == 0
            ? usage
            : null;

    // The peak of getrusage(2) is no less than that of the process that has started this one.
    private long? PeakResidentBytes()
    {
        if (OperatingSystem.IsLinux())
        {
            return KnowsPeak ? ProcessMemory.OfStatus("VmHWM") : null;
        }

        using var process = Process.GetCurrentProcess();
        return KnowsPeak && process.PeakWorkingSet64 > 0 ? process.PeakWorkingSet64 : null;
    }

    private int ThreadCount()
    {
        if (s_stat is null)
        {
            using var process = Process.GetCurrentProcess();
            return process.Threads.Count;
        }

        Span<byte> text = stackalloc byte[MaxStatBytes];
        return (int)Math.Min(int.MaxValue, new ProcStat(SystemFiles.Read(s_stat, text)).Threads ?? 0);
    }
}

/// <summary>At one moment, or the difference of two moments, or the sum of several differences.</summary>
internal sealed record ProcessSnapshot(
    long Timestamp,
    double UserSeconds,
    double SystemSeconds,
    long AllocatedBytes,
    IReadOnlyList<int> Collections,
    TimeSpan Pause,
    TimeSpan Compilation,
    long LockContentions,
    long? VoluntarySwitches,
    long? InvoluntarySwitches,
    long? QuotaPeriods,
    long? ThrottledPeriods,
    double? ClientThreadSeconds)
{
    public ProcessSnapshot Since(ProcessSnapshot earlier) => Add(earlier, -1);

    public ProcessSnapshot Plus(ProcessSnapshot? other) => other is null ? this : Add(other, 1);

    private ProcessSnapshot Add(ProcessSnapshot other, int sign) => new(
        Timestamp + (sign * other.Timestamp),
        UserSeconds + (sign * other.UserSeconds),
        SystemSeconds + (sign * other.SystemSeconds),
        AllocatedBytes + (sign * other.AllocatedBytes),
        [.. Collections.Zip(other.Collections, (first, second) => first + (sign * second))],
        Pause + (sign * other.Pause),
        Compilation + (sign * other.Compilation),
        LockContentions + (sign * other.LockContentions),
        VoluntarySwitches + (sign * other.VoluntarySwitches),
        InvoluntarySwitches + (sign * other.InvoluntarySwitches),
        QuotaPeriods + (sign * other.QuotaPeriods),
        ThrottledPeriods + (sign * other.ThrottledPeriods),
        ClientThreadSeconds + (sign * other.ClientThreadSeconds));
}

internal sealed class UseCounter(ProcessMeter meter)
{
    private ProcessSnapshot? _start;
    private MachineTime? _machineStart;
    private ProcessSnapshot? _used;
    private MachineTime? _machineUsed;

    public MachineUse? Machine => _machineUsed is { Total: > 0 } used ? used.Use() : null;

    public void Begin() => (_machineStart, _start) = (MachineTime.Read(), meter.Read());

    public void End()
    {
        if (_start is { } start)
        {
            _used = meter.Read().Since(start).Plus(_used);
            _machineUsed = _machineStart is not null && MachineTime.Read()?.Since(_machineStart) is { } passed ? passed.Plus(_machineUsed) : _machineUsed;
            _start = null;
        }
    }

    public ProcessCost? CostOf(long messages) => _used is null ? null : meter.CostOf(_used, messages);
}

/// <summary>From <c>/proc</c> (proc(5)). A process that has ended counts as none: its time cannot be read.</summary>
internal sealed record OtherProcess(double UserSeconds, double SystemSeconds, long VoluntarySwitches, long InvoluntarySwitches)
{
    public static OtherProcess Read(int process)
    {
        string status = process.ToString(CultureInfo.InvariantCulture);
        ProcStat stat = ProcStat.Read(process);
        return new OtherProcess(
            (stat.UserTicks ?? 0) / ProcStat.TicksPerSecond,
            (stat.SystemTicks ?? 0) / ProcStat.TicksPerSecond,
            CountIn("voluntary_ctxt_switches"),
            CountIn("nonvoluntary_ctxt_switches"));

        long CountIn(string name) => SystemFiles.NumberOf(SystemFiles.StatusOf(status, name)) ?? 0;
    }

    public static int ThreadCount(int process) =>
        Directory.Exists($"/proc/{process}/task") ? Directory.GetDirectories($"/proc/{process}/task").Length : 0;
}

/// <param name="ResidentBytes">Memory that is present: Linux VmRSS of /proc/self/status (see proc(5)), elsewhere the working set.</param>
internal sealed record ProcessMemory(long ResidentBytes, long ManagedBytes)
{
    /// <summary>Collects all generations, which stops all threads for some milliseconds.</summary>
    public static ProcessMemory Read()
    {
        // Twice: an object with a finalizer is free only after the finalizer has run.
        Collect();
        GC.WaitForPendingFinalizers();
        Collect();
        return new ProcessMemory(Resident(), GC.GetTotalMemory(forceFullCollection: false));
    }

    // Only Aggressive returns free memory to the system at once. Otherwise, the garbage of connecting would be counted as memory of the clients.
    internal static void Collect() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);

    /// <summary>In bytes (proc_pid_status(5)); null if the system does not report it.</summary>
    public static long? OfStatus(string key) =>
        SystemFiles.NumberOf(SystemFiles.StatusOf("self", key), 1024);

    private static long Resident()
    {
        using var process = Process.GetCurrentProcess();
        return OfStatus("VmRSS") ?? process.WorkingSet64;
    }
}
