using System.Diagnostics;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>When nothing leaves: a time of one length at the begin of every period but the first.</summary>
internal sealed class StallSchedule(ImpairmentStall? stall)
{
    private const long Never = long.MaxValue;
    private readonly long _length = stall is null ? 0 : ToTicks(stall.Length);
    private readonly long _period = stall is null ? Never : ToTicks(stall.Period);
    private long _begin;
    private long _end;

    /// <summary>Starts the first period.</summary>
    public void Begin(long now) => (_begin, _end) = (now, Never);

    /// <summary>Ends a stall, and all that would come.</summary>
    public void End(long now) => _end = Math.Min(_end, now);

    /// <summary>How many stalls have begun.</summary>
    public long CountAt(long now) => (Math.Min(now, _end) - _begin) / _period;

    /// <summary>The end of the stall that is at a time, or that time itself where none is.</summary>
    public long FreeAt(long now)
    {
        long since = now - _begin;
        return now < _end && since >= _period && since % _period < _length ? now - (since % _period) + _length : now;
    }

    private static long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);
}
