using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A client that is notified when its messages are due.</summary>
internal interface IPacedClient
{
    /// <summary>
    /// Forwards <see cref="IClientHandler.OnDue"/> to the workload, and sends at once the messages that it queued. Does nothing if the connection is
    /// gone.
    /// </summary>
    void Due(long due);
}

/// <summary>
/// Follows the schedule for the clients of one thread, from the start of the load: those with the numbers first, first + step, first + 2 step and so
/// on. Their turns come in that order, so the next due client is always known.
/// </summary>
internal sealed class Pacer(SendSchedule schedule, IReadOnlyList<IPacedClient> clients, int first, int step, long start, WorkerStatistics worker) : IDueWork
{
    // Overdue messages are sent in portions, so that answers are received in between.
    private const int MostATurn = 32;

    private int _next;
    private long _round;

    public long NextDue { get; private set; } = schedule.DueAt(start, 0, first);

    public void OnDue(long now)
    {
        worker.ReadClock();
        for (int turn = 0; turn < MostATurn && NextDue <= worker.Now; turn++)
        {
            clients[_next].Due(NextDue);
            if (++_next == clients.Count)
            {
                _next = 0;
                _round++;
            }

            NextDue = schedule.DueAt(start, _round, first + (_next * step));
            worker.ReadClock();
        }
    }
}
