namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>While the list is not empty, waits have the finest resolution of the system's timers.</summary>
internal sealed class DueWorkList
{
    private readonly List<IDueWork> _work = [];

    public bool IsEmpty => _work.Count == 0;

    public void Add(IDueWork work)
    {
        if (IsEmpty)
        {
            SetTimers(finest: true);
        }

        _work.Add(work);
    }

    public void Remove(IDueWork? work)
    {
        if (work is not null && _work.Remove(work) && IsEmpty)
        {
            SetTimers(finest: false);
        }
    }

    public void Clear()
    {
        if (!IsEmpty)
        {
            _work.Clear();
            SetTimers(finest: false);
        }
    }

    public long NextDue(long atMost)
    {
        long next = atMost;
        foreach (IDueWork work in _work)
        {
            next = Math.Min(next, work.NextDue);
        }

        return next;
    }

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

    // If a call is refused, the thread wakes later than it could, and never earlier.
    private static void SetTimers(bool finest)
    {
        const int ShortestSlack = 1;
        const int DefaultSlack = 0;
        if (OperatingSystem.IsLinux())
        {
            _ = SysPrctl.prctl(SysPrctl.PR_SET_TIMERSLACK, finest ? (nuint)ShortestSlack : DefaultSlack);
        }
        else if (OperatingSystem.IsWindows())
        {
            _ = finest ? SysTimeApi.timeBeginPeriod(SysTimeApi.FinestPeriod) : SysTimeApi.timeEndPeriod(SysTimeApi.FinestPeriod);
        }
    }
}

/// <summary>Work that a <see cref="PollLoop"/> does at exact times, on its thread. Work with many due times keeps them in its own queue.</summary>
public interface IDueWork
{
    /// <summary>The due time by the run's clock; <see cref="long.MaxValue"/> if nothing is due. Read before every wait, so it returns a known value.</summary>
    long NextDue { get; }

    /// <summary>
    /// Does a bounded part of the work that is due. The rest stays due: the loop polls its sockets before it continues. It is never called before
    /// <see cref="NextDue"/>.
    /// </summary>
    void OnDue(long now);
}
