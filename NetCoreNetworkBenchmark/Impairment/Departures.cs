using NetCoreNetworkBenchmark.Core.Polling;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The datagrams that have a time to leave, of both directions. They leave at that time or at the end of a stall.</summary>
internal sealed class Departures(DatagramPool pool, StallSchedule stalls) : IDueWork
{
    // More than a socket's turn brings, with copies, so that what leaves keeps up with what comes.
    private const int MostACall = 128;

    // The second number keeps the order of datagrams that leave at the same time.
    private readonly PriorityQueue<Datagram, (long Leave, long Number)> _queue = new();
    private long _added;
    private long _stalledUntil;

    public StallSchedule Stalls => stalls;

    public long NextDue => _queue.TryPeek(out _, out (long Leave, long Number) first) ? Math.Max(first.Leave, _stalledUntil) : long.MaxValue;

    public void Add(Datagram datagram, long leave) => _queue.Enqueue(datagram, (leave, _added++));

    public void OnDue(long now)
    {
        _stalledUntil = stalls.FreeAt(now);
        for (int sent = 0; sent < MostACall && NextDue <= now; sent++)
        {
            Send(_queue.Dequeue());
        }
    }

    public void EndStall(long now)
    {
        stalls.End(now);
        _stalledUntil = now;
    }

    private void Send(Datagram datagram)
    {
        bool taken = datagram.Flow.Send(datagram.Bytes);
        if (datagram.Counter is { } counter)
        {
            counter.Forwarded += taken ? 1 : 0;
            counter.Overflowed += taken ? 0 : 1;
        }

        pool.Return(datagram);
    }
}
