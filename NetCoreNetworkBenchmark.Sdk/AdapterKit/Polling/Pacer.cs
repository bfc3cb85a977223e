namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A client that is notified when its messages are due.</summary>
public interface IPacedClient
{
    /// <summary>
    /// Forwards <see cref="IClientHandler.OnDue"/> to the workload, and sends at once the messages that it queued, unless the connection is gone.
    /// </summary>
    void Due(long due);
}

/// <summary>
/// Follows the schedule for the clients of one thread: those with the numbers first, first + step, first + 2 step and so on. The next due client is always
/// known. A loop that works in updates sends a message at the first update at or after its time in the schedule, and the message is due at that update: a
/// game's client sends when it updates.
/// </summary>
internal sealed class Pacer : IDueWork
{
    // Overdue messages are sent in portions, so that answers are received in between.
    private const int MaxPerTurn = 32;

    private readonly ArrivalSequence _arrivals;
    private readonly SendSchedule _schedule;
    private readonly IReadOnlyList<IPacedClient> _clients;
    private readonly WorkerStatistics _worker;
    private readonly UpdateTimes? _updates;
    private int _part;
    private long _end = long.MaxValue;

    /// <summary>Creates the pacer of one thread, whose schedule starts at a reading of the stopwatch.</summary>
    public Pacer(
        SendSchedule schedule, IReadOnlyList<IPacedClient> clients, int first, int step, long start, WorkerStatistics worker, UpdateTimes? updates = null)
    {
        ArgumentNullException.ThrowIfNull(worker);
        (_schedule, _clients, _worker, _updates) = (schedule, clients, worker, updates);
        _arrivals = new ArrivalSequence(schedule, first, step, start, worker.Schedules++);
        worker.NextDue = Due;
    }

    public long NextDue => Due < _end ? Due : long.MaxValue;

    private long Due => _updates?.AtOrAfter(_arrivals.Due) ?? _arrivals.Due;

    /// <summary>Ends the schedule. Messages that were due before the load ended are still sent, and none in a later load.</summary>
    public void End() => _end = _worker.CurrentInterval.Since;

    public void OnDue(long now)
    {
        _worker.ReadClock();
        for (int turn = 0; turn < MaxPerTurn && NextDue <= _worker.Now; turn++)
        {
            long due = Due;
            long planned = _arrivals.Due;
            if (_worker.IntervalOf(due).Statistics.Sends)
            {
                _clients[_arrivals.Index].Due(due);
            }

            _arrivals.MoveNext();
            if (_schedule.LastRate is not null)
            {
                FollowRate(planned);
            }

            _worker.NextDue = Due;
            _worker.ReadClock();
        }
    }

    // The rate changes where a part of the measurement begins, as soon as the message is due that was announced at the rate before. A thread that was late
    // takes one part after the other.
    private void FollowRate(long announced)
    {
        while (_worker.PartAfter(_part) is { } next && Math.Max(next.Since, announced) is var time && time <= _arrivals.Due)
        {
            _part = next.Part;
            _arrivals.RateFrom(time, _schedule.RateOf(_part));
        }
    }
}
