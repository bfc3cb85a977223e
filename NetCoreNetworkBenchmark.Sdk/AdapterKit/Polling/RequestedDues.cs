namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Calls clients at the times that the workload requested (<see cref="WorkerStatistics.RequestDue"/>).</summary>
/// <param name="worker">The statistics of the loop's thread.</param>
/// <param name="recorder">The recorder, if other threads request calls too; null if only the loop's own thread does.</param>
/// <param name="think">The think time of the plan, before which nothing is due that has just been requested.</param>
internal sealed class RequestedDues(WorkerStatistics worker, RunRecorder? recorder, TimeSpan think) : IDueWork
{
    // As in a schedule: answers are received in between.
    private const int MaxPerTurn = 32;

    // A shorter rest would keep a core busy.
    private static readonly TimeSpan s_shortestRest = TimeSpan.FromMicroseconds(100);

    private readonly PriorityQueue<IPacedClient, long> _queue = new();
    private readonly WorkerStatistics[] _own = [worker];
    private readonly long _rest = RunRecorder.ToTicks(think > s_shortestRest ? think : s_shortestRest);

    /// <summary>Nobody wakes the loop: what another thread requests while it sleeps is not due before the think time has passed.</summary>
    public long NextDue
    {
        get
        {
            Take();
            long next = recorder is null ? long.MaxValue : worker.Now + _rest;
            return _queue.TryPeek(out _, out long due) ? Math.Min(due, next) : next;
        }
    }

    public void OnDue(long now)
    {
        worker.ReadClock();
        for (int turn = 0; turn < MaxPerTurn && _queue.TryPeek(out IPacedClient? client, out long due) && due <= worker.Now; turn++)
        {
            _queue.Dequeue();
            client.Due(due);
            worker.ReadClock();
        }
    }

    private void Take()
    {
        IReadOnlyList<WorkerStatistics> workers = recorder?.Workers ?? _own;
        for (int index = 0; index < workers.Count; index++)
        {
            while (workers[index].Requests is { } requests && requests.TryTake(out object? peer, out long due))
            {
                // The peer of a client of this kit is the client.
                _queue.Enqueue((IPacedClient)peer!, due);
            }
        }
    }
}
