namespace NetCoreNetworkBenchmark.Core.Streams;

/// <summary>
/// Bounds the connections of a stream server by the plan's clients: as many again may be open, and at least 64 more, so that strangers who come
/// first do not take the places of the clients, and no flood of them takes all descriptors. From any thread.
/// </summary>
/// <param name="plan">The plan of the run.</param>
/// <param name="recorder">Where connections are counted that are more than the plan has (<see cref="ForeignTraffic.Connections"/>).</param>
public sealed class ConnectionBound(RunPlan plan, RunRecorder recorder)
{
    private const int LeastStrangers = 64;

    private readonly int _most = (int)Math.Min(plan.Clients + (long)Math.Max(plan.Clients, LeastStrangers), int.MaxValue);
    private int _open;

    /// <summary>Takes a place for an accepted connection.</summary>
    /// <returns>False where there is none, so that the connection is to be closed at once.</returns>
    public bool TryEnter()
    {
        int open = Interlocked.Increment(ref _open);
        if (open > plan.Clients)
        {
            recorder.CountForeign(ForeignTraffic.Connections);
        }

        if (open <= _most)
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>Gives the place of a connection back that has ended.</summary>
    public void Leave() => Interlocked.Decrement(ref _open);
}
