namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>The work of one loop that is due at exact times. While there is any, the timers of the loop's thread are sharp.</summary>
internal sealed class DueWorkList
{
    private const int ShortestTimerSlack = 1;
    private const int DefaultTimerSlack = 0;
    private readonly List<IDueWork> _work = [];

    public bool IsEmpty => _work.Count == 0;

    public void Add(IDueWork work)
    {
        _work.Add(work);
        SetTimerSlack(ShortestTimerSlack);
    }

    public void Remove(IDueWork work)
    {
        if (_work.Remove(work) && IsEmpty)
        {
            SetTimerSlack(DefaultTimerSlack);
        }
    }

    /// <summary>When the next work is due, or a time that comes before it.</summary>
    public long NextDue(long atMost)
    {
        long next = atMost;
        foreach (IDueWork work in _work)
        {
            next = Math.Min(next, work.NextDue);
        }

        return next;
    }

    /// <summary>Calls all work that is due.</summary>
    public void Run(long now)
    {
        // Work may add and remove work.
        for (int index = 0; index < _work.Count; index++)
        {
            if (_work[index].NextDue <= now)
            {
                _work[index].OnDue(now);
            }
        }
    }

    private static void SetTimerSlack(nuint nanoseconds)
    {
        if (OperatingSystem.IsLinux())
        {
            // Refused, the thread wakes a few microseconds later, and no earlier.
            _ = SysPrctl.prctl(SysPrctl.PR_SET_TIMERSLACK, nanoseconds);
        }
    }
}
