namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The evenly spaced times at which a loop reads its sockets, if it works in updates as the loop of a game does.</summary>
internal sealed class UpdateTimes
{
    private readonly long _first;
    private readonly long _interval;

    /// <param name="first">The time of one update, by the run's clock.</param>
    /// <param name="rate">The updates per second; above 0.</param>
    public UpdateTimes(long first, int rate)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(rate);
        (_first, _interval) = (first, RunRecorder.ToTicks(TimeSpan.FromSeconds(1.0 / rate)));
    }

    /// <summary>Gets the time of the first update at or after a time.</summary>
    public long AtOrAfter(long time)
    {
        long since = (time - _first) % _interval;
        return time + (since > 0 ? _interval - since : -since);
    }

    /// <summary>
    /// Gets the time of the update after one that has ended. If it lasted longer than the interval, the next one is due already, and the ones between are
    /// left out.
    /// </summary>
    /// <param name="update">The time of the update that has ended.</param>
    /// <param name="now">The time at which it ended.</param>
    public long After(long update, long now) => Math.Max(update + _interval, AtOrAfter(now - _interval + 1));
}
