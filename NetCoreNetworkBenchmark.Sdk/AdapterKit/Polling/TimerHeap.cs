namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A time at which a <see cref="PollLoop"/> calls back once, on its thread. It can be set again, also from within the callback.</summary>
public sealed class LoopTimer(Action onDue)
{
    /// <summary>Whether the timer is set and the call is pending.</summary>
    public bool IsSet { get; internal set; }

    internal void Call() => onDue();
}

/// <summary>
/// The timers of one loop in a heap, so that the next one is available at once. A loop has few timers, so a search for one of them costs nothing.
/// </summary>
internal sealed class TimerHeap
{
    private readonly PriorityQueue<LoopTimer, long> _heap = new();

    /// <summary>The time at which the next timer is due; <see cref="long.MaxValue"/> if none is set.</summary>
    public long NextDue => _heap.TryPeek(out _, out long due) ? due : long.MaxValue;

    /// <summary>Sets a timer, or changes the time of a timer that is set.</summary>
    public void Set(LoopTimer timer, long due)
    {
        if (timer.IsSet)
        {
            Cancel(timer);
        }

        timer.IsSet = true;
        _heap.Enqueue(timer, due);
    }

    /// <summary>Cancels a timer; a timer that is not set is not changed.</summary>
    public void Cancel(LoopTimer timer)
    {
        timer.IsSet = false;
        _heap.Remove(timer, out _, out _);
    }

    /// <summary>
    /// Calls every timer that is due, in their order. Timers that are set during these calls are served by the next run, so that this method ends.
    /// </summary>
    public void Run(long now)
    {
        for (int turns = _heap.Count; turns > 0 && NextDue <= now; turns--)
        {
            LoopTimer timer = _heap.Dequeue();
            timer.IsSet = false;
            timer.Call();
        }
    }
}
