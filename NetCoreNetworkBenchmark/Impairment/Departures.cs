using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The parcels that have a time to leave, of both directions. They leave at that time or at the end of a stall.</summary>
/// <param name="stalls">When nothing leaves.</param>
/// <param name="leave">Gets each parcel when it leaves.</param>
internal sealed class Departures<T>(StallSchedule stalls, Action<T> leave) : IDueWork
{
    // More than a socket's turn brings, with copies, so that what leaves keeps up with what comes.
    private const int MostACall = 128;

    // The second number keeps the order of parcels that leave at the same time.
    private readonly PriorityQueue<T, (long Leave, long Number)> _queue = new();
    private long _added;
    private long _stalledUntil;

    public StallSchedule Stalls => stalls;

    public long NextDue => _queue.TryPeek(out _, out (long Leave, long Number) first) ? Math.Max(first.Leave, _stalledUntil) : long.MaxValue;

    public void Add(T parcel, long time) => _queue.Enqueue(parcel, (time, _added++));

    public void OnDue(long now)
    {
        _stalledUntil = stalls.FreeAt(now);
        for (int left = 0; left < MostACall && NextDue <= now; left++)
        {
            leave(_queue.Dequeue());
        }
    }

    public void EndStall(long now)
    {
        stalls.End(now);
        _stalledUntil = now;
    }
}
