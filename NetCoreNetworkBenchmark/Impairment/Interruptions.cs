namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The times of stalls or outages: one of fixed length at the start of every period except the first.</summary>
internal sealed class InterruptionSchedule(Interruption? interruption)
{
    private const long Never = long.MaxValue;
    private readonly long _length = interruption is null ? 0 : RunRecorder.ToTicks(interruption.Length);
    private readonly long _period = interruption is null ? Never : RunRecorder.ToTicks(interruption.Period);
    private long _begin;
    private long _end;

    public void Begin(long now) => (_begin, _end) = (now, Never);

    public void End(long now) => _end = Math.Min(_end, now);

    public long CountAt(long now) => (Math.Min(now, _end) - _begin) / _period;

    public bool Covers(long now) => FreeAt(now) != now;

    /// <summary>Returns the end of the interruption that covers the given time, or the time itself if there is none.</summary>
    public long FreeAt(long now)
    {
        long since = now - _begin;
        return now < _end && since >= _period && since % _period < _length ? now - (since % _period) + _length : now;
    }
}

// A cut that starts late, because the thread is busy, is as long as any other. A cut that would start before the previous one ends is left out.
internal sealed class CutSchedule(Interruption cut, TimeProvider clock, Func<int> start, Action end) : IDueWork
{
    private const long Never = long.MaxValue;
    private readonly long _length = RunRecorder.ToTicks(cut.Length);
    private readonly long _period = RunRecorder.ToTicks(cut.Period);
    private long _begin;
    private bool _isCut;

    public long NextDue { get; private set; } = Never;
    public long Count { get; private set; }
    public long ResetConnections { get; private set; }

    public void Begin(long now)
    {
        End();
        (_begin, Count, ResetConnections) = (now, 0, 0);
        NextDue = now + _period;
    }

    public void End()
    {
        NextDue = Never;
        if (_isCut)
        {
            _isCut = false;
            end();
        }
    }

    public void OnDue(long now)
    {
        if (_isCut)
        {
            End();
            NextDue = now + _period - ((now - _begin) % _period);
            return;
        }

        _isCut = true;
        Count++;
        ResetConnections += start();

        // The reset of many connections takes time, which is not part of the length.
        NextDue = clock.GetTimestamp() + _length;
    }
}
