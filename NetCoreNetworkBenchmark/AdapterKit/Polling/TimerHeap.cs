namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// The timers of one loop in a binary min-heap. The next timer is available at once. Setting or cancelling one of n timers takes log n steps. Each
/// timer stores its index, so that no search is necessary.
/// </summary>
internal sealed class TimerHeap
{
    private readonly List<LoopTimer> _heap = [];

    /// <summary>The time at which the next timer is due; <see cref="long.MaxValue"/> if none is set.</summary>
    public long NextDue => _heap.Count == 0 ? long.MaxValue : _heap[0].Due;

    /// <summary>Sets a timer, or changes the time of a timer that is set.</summary>
    public void Set(LoopTimer timer, long due)
    {
        timer.Due = due;
        if (!timer.IsSet)
        {
            _heap.Add(timer);
            timer.Place = _heap.Count - 1;
        }

        Settle(timer);
    }

    /// <summary>Cancels a timer; a timer that is not set is not changed.</summary>
    public void Cancel(LoopTimer timer)
    {
        if (!timer.IsSet)
        {
            return;
        }

        LoopTimer last = _heap[^1];
        _heap.RemoveAt(_heap.Count - 1);
        if (last != timer)
        {
            Put(last, timer.Place);
            Settle(last);
        }

        timer.Place = -1;
    }

    /// <summary>
    /// Calls every timer that is due, in the order of the due times. Timers that are set during these calls are served by the next run, so that this
    /// method ends.
    /// </summary>
    public void Run(long now)
    {
        for (int turns = _heap.Count; turns > 0 && NextDue <= now; turns--)
        {
            LoopTimer timer = _heap[0];
            Cancel(timer);
            timer.Call();
        }
    }

    private void Settle(LoopTimer timer)
    {
        while (timer.Place > 0 && timer.Due < _heap[ParentOf(timer.Place)].Due)
        {
            Exchange(timer, _heap[ParentOf(timer.Place)]);
        }

        while (EarlierChildOf(timer.Place) is { } child && child.Due < timer.Due)
        {
            Exchange(timer, child);
        }
    }

    private static int ParentOf(int place) => (place - 1) / 2;

    private LoopTimer? EarlierChildOf(int place)
    {
        int left = (2 * place) + 1;
        int right = left + 1;
        return left >= _heap.Count ? null
            : right >= _heap.Count || _heap[left].Due <= _heap[right].Due ? _heap[left]
            : _heap[right];
    }

    private void Exchange(LoopTimer one, LoopTimer other)
    {
        int place = one.Place;
        Put(one, other.Place);
        Put(other, place);
    }

    private void Put(LoopTimer timer, int place)
    {
        _heap[place] = timer;
        timer.Place = place;
    }
}
