using NetCoreNetworkBenchmark.AdapterKit.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The packets of both directions that are scheduled to leave. They leave at their time or at the end of a stall.</summary>
/// <param name="stalls">The times at which no packets leave.</param>
/// <param name="leave">The handler that is called with each packet when it leaves.</param>
internal sealed class DelayQueue<T>(StallSchedule stalls, Action<T> leave) : IDueWork
{
    // More packets than one turn of a socket receives, with copies, so that departures keep up with arrivals.
    private const int MostACall = 128;

    // The second number keeps the order of packets that leave at the same time.
    private readonly PriorityQueue<T, (long Leave, long Number)> _queue = new();
    private long _added;
    private long _stalledUntil;

    public StallSchedule Stalls => stalls;

    public long NextDue => _queue.TryPeek(out _, out (long Leave, long Number) first) ? Math.Max(first.Leave, _stalledUntil) : long.MaxValue;

    public void Add(T packet, long time) => _queue.Enqueue(packet, (time, _added++));

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
