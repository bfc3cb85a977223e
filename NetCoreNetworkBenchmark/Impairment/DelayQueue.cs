namespace NetCoreNetworkBenchmark.Impairment;

internal sealed class DelayQueue(InterruptionSchedule stalls, TimeSpan lateBound) : IDueWork
{
    // More packets than one turn of a socket receives, with copies, so that departures keep up with arrivals.
    private const int MaxPerCall = 128;

    private readonly long _lateBound = RunRecorder.ToTicks(lateBound);

    // The second number keeps the order of packets that leave at the same time.
    private readonly PriorityQueue<Packet, (long Leave, long Number)> _queue = new();
    private long _added;
    private long _stalledUntil;

    public InterruptionSchedule Stalls => stalls;
    public long NextDue => _queue.TryPeek(out _, out (long Leave, long Number) first) ? Math.Max(first.Leave, _stalledUntil) : long.MaxValue;

    public void Add(Packet packet, long time) => _queue.Enqueue(packet, (time, _added++));

    public void OnDue(long now)
    {
        _stalledUntil = stalls.FreeAt(now);
        for (int left = 0; left < MaxPerCall && NextDue <= now; left++)
        {
            _queue.TryDequeue(out Packet? packet, out (long Leave, long Number) due);
            if (packet!.Counter is { } counter && now - stalls.FreeAt(due.Leave) > _lateBound)
            {
                counter.Late++;
            }

            packet.Flow.Leave(packet);
        }
    }

    public void EndStall(long now)
    {
        stalls.End(now);
        _stalledUntil = now;
    }
}
