namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The times at which no packets leave: one stall of fixed length at the start of every period except the first.</summary>
internal sealed class StallSchedule(Interruption? stall)
{
    private const long Never = long.MaxValue;
    private readonly long _length = stall is null ? 0 : ToTicks(stall.Length);
    private readonly long _period = stall is null ? Never : ToTicks(stall.Period);
    private long _begin;
    private long _end;

    public void Begin(long now) => (_begin, _end) = (now, Never);

    /// <summary>Ends the current stall, and cancels later ones.</summary>
    public void End(long now) => _end = Math.Min(_end, now);

    public long CountAt(long now) => (Math.Min(now, _end) - _begin) / _period;

    /// <summary>Returns the end of the stall that covers the given time, or the time itself if there is no stall.</summary>
    public long FreeAt(long now)
    {
        long since = now - _begin;
        return now < _end && since >= _period && since % _period < _length ? now - (since % _period) + _length : now;
    }

    private static long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);
}
