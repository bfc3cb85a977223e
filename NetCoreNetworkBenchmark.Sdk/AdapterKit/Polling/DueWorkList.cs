namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>The work of one loop that is due at exact times. While the list is not empty, the loop's thread has the smallest timer slack.</summary>
internal sealed class DueWorkList
{
    private const int ShortestTimerSlack = 1;
    private const int DefaultTimerSlack = 0;
    private readonly List<IDueWork> _work = [];

    public bool IsEmpty => _work.Count == 0;

    public void Add(IDueWork work)
    {
        if (IsEmpty)
        {
            SetTimerSlack(ShortestTimerSlack);
        }

        _work.Add(work);
    }

    public void Remove(IDueWork? work)
    {
        if (work is not null && _work.Remove(work) && IsEmpty)
        {
            SetTimerSlack(DefaultTimerSlack);
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

    private static void SetTimerSlack(nuint nanoseconds)
    {
        if (OperatingSystem.IsLinux())
        {
            // If the call is refused, the thread wakes a few microseconds later, and never earlier.
            _ = SysPrctl.prctl(SysPrctl.PR_SET_TIMERSLACK, nanoseconds);
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
