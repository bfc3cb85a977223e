using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Running.Machine.Meters;

/// <summary>
/// A thread is also late while it waits for a core, or while the garbage collector has stopped all threads. The kernel and the runtime count these costs, so
/// that they can be subtracted. Docs/methodology.md has the measurement behind <see cref="MaxDelay"/>.
/// </summary>
internal sealed class StopDetector : IDisposable
{
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(20);

    public static readonly TimeSpan MaxDelay = TimeSpan.FromMilliseconds(100);

    /// <summary>For a system that does not count the time for which a thread waits for a core.</summary>
    public static readonly TimeSpan MaxUncountedDelay = TimeSpan.FromSeconds(1);

    // The time on a core, and the time of waiting for one, in nanoseconds (Documentation/scheduler/sched-stats.rst).
    private const string ScheduleFile = "/proc/thread-self/schedstat";
    private const int LongestLine = 64;

    private SafeFileHandle? _schedule;
    private TimeSpan _woken = SysTime.SinceBoot();
    private TimeSpan _paused = GC.GetTotalPauseDuration();
    private TimeSpan? _queued = TimeSpan.Zero;

    /// <summary>The time since the last call. All calls come from one thread.</summary>
    /// <param name="asleep">The time for which the thread was to sleep since then.</param>
    public TimeSpan Wake(TimeSpan asleep)
    {
        TimeSpan now = SysTime.SinceBoot();
        TimeSpan pauses = GC.GetTotalPauseDuration();
        TimeSpan? queued = ReadQueued();
        TimeSpan stopped = StoppedIn(now - _woken - asleep, queued >= _queued ? queued - _queued : null, pauses - _paused);
        (_woken, _queued, _paused) = (now, queued, pauses);
        return stopped;
    }

    /// <param name="queued">The time for which it waited for a core; null if the system does not count it.</param>
    public static TimeSpan StoppedIn(TimeSpan late, TimeSpan? queued, TimeSpan paused)
    {
        TimeSpan rest = late - (queued ?? TimeSpan.Zero) - paused;
        return rest > (queued is null ? MaxUncountedDelay : MaxDelay) ? rest : TimeSpan.Zero;
    }

    public void Dispose() => _schedule?.Dispose();

    private TimeSpan? ReadQueued()
    {
        _schedule ??= SystemFiles.TryOpen(ScheduleFile);
        return _schedule is null ? null : ParseQueued(SystemFiles.Read(_schedule, stackalloc byte[LongestLine]));
    }

    /// <returns>Null if the text has none, or if nothing is counted: a thread that reads it has been on a core.</returns>
    public static TimeSpan? ParseQueued(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text, out long onCore, out int length) && onCore > 0 && length < text.Length
        && Utf8Parser.TryParse(text[(length + 1)..], out long nanoseconds, out _) && nanoseconds >= 0
            ? TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick)
            : null;
}
