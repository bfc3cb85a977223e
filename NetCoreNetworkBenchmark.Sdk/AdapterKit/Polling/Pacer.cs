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
/// Follows the schedule for the clients of one thread: those with the numbers first, first + step, first + 2 step and so on. Their turns come in that order,
/// so the next due client is always known.
/// </summary>
public sealed class Pacer : IDueWork
{
    // Overdue messages are sent in portions, so that answers are received in between.
    private const int MostPerTurn = 32;

    private readonly SendSchedule _schedule;
    private readonly IReadOnlyList<IPacedClient> _clients;
    private readonly int _first;
    private readonly int _step;
    private readonly long _start;
    private readonly WorkerStatistics _worker;
    private int _next;
    private long _round;
    private long _due;
    private long _end = long.MaxValue;

    /// <summary>Creates the pacer of one thread, whose schedule starts at a reading of the stopwatch.</summary>
    public Pacer(SendSchedule schedule, IReadOnlyList<IPacedClient> clients, int first, int step, long start, WorkerStatistics worker)
    {
        (_schedule, _clients, _first, _step, _start, _worker) = (schedule, clients, first, step, start, worker);
        _worker.NextDue = _due = schedule.DueAt(start, 0, first);
    }

    /// <inheritdoc/>
    public long NextDue => _due < _end ? _due : long.MaxValue;

    private bool IsDueInLoad => _worker.IntervalOf(_due).Statistics.Sends;

    /// <summary>Ends the schedule. Messages that were due before the load ended are still sent, and none in a later load.</summary>
    public void End() => _end = _worker.CurrentInterval.Since;

    /// <inheritdoc/>
    public void OnDue(long now)
    {
        _worker.ReadClock();
        for (int turn = 0; turn < MostPerTurn && NextDue <= _worker.Now; turn++)
        {
            if (IsDueInLoad)
            {
                _clients[_next].Due(_due);
            }

            if (++_next == _clients.Count)
            {
                _next = 0;
                _round++;
            }

            _worker.NextDue = _due = _schedule.DueAt(_start, _round, _first + (_next * _step));
            _worker.ReadClock();
        }
    }
}
