using System.Diagnostics;
using NetCoreNetworkBenchmark.AdapterKit.Polling;
using NetCoreNetworkBenchmark.Plans;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// The times of the cuts: one of fixed length at the start of every period except the first. A cut that starts late, because the thread is busy, is as
/// long as any other. A cut that would start before the previous one ends is left out.
/// </summary>
/// <param name="cut">The length and the period.</param>
/// <param name="clock">The clock of the run.</param>
/// <param name="start">Starts a cut, and returns the number of connections that it has reset.</param>
/// <param name="end">Ends a cut.</param>
internal sealed class CutSchedule(Interruption cut, TimeProvider clock, Func<int> start, Action end) : IDueWork
{
    private const long Never = long.MaxValue;
    private readonly long _length = ToTicks(cut.Length);
    private readonly long _period = ToTicks(cut.Period);
    private long _begin;
    private bool _isCut;

    public long NextDue { get; private set; } = Never;

    /// <summary>The number of cuts that have begun.</summary>
    public long Count { get; private set; }

    /// <summary>The number of connections that were reset, by all cuts.</summary>
    public long ResetConnections { get; private set; }

    /// <summary>Starts the first period. The counts start again.</summary>
    public void Begin(long now)
    {
        End();
        (_begin, Count, ResetConnections) = (now, 0, 0);
        NextDue = now + _period;
    }

    /// <summary>Ends the current cut, and cancels later ones.</summary>
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
