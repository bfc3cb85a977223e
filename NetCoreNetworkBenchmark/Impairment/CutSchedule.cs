using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

// A cut that starts late, because the thread is busy, is as long as any other. A cut that would start before the previous one ends is left out.
internal sealed class CutSchedule(Interruption cut, TimeProvider clock, Func<int> start, Action end) : IDueWork
{
    private const long Never = long.MaxValue;
    private readonly long _length = ToTicks(cut.Length);
    private readonly long _period = ToTicks(cut.Period);
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

    private static long ToTicks(TimeSpan time) => (long)(time.TotalSeconds * Stopwatch.Frequency);
}
