using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Limits the connections of a stream server by the number of the plan's clients. As many additional connections may be open, and at least 64, so
/// that strangers that come first do not take the places of the clients, and a flood of strangers does not take all descriptors. Connections in excess
/// of the plan are counted (<see cref="ForeignTraffic.Connections"/>). From any thread.
/// </summary>
internal sealed class ConnectionBound(RunPlan plan, RunRecorder recorder)
{
    private const int LeastStrangers = 64;

    // Any client of HTTP may come, and each opens its next connection before the server has noticed the end of the last one.
    private readonly bool _isOpenToAll = plan.Framing == Framing.Http;
    private readonly int _most = (int)Math.Min(plan.Clients + (long)Math.Max(plan.Clients, LeastStrangers), int.MaxValue);
    private int _open;

    /// <summary>Reserves a place for an accepted connection.</summary>
    /// <returns>True if there is a place; false if there is none, so that the connection must be closed at once.</returns>
    public bool TryEnter()
    {
        int open = Interlocked.Increment(ref _open);
        if (_isOpenToAll)
        {
            return true;
        }

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

    /// <summary>Releases the place of a connection that has ended.</summary>
    public void Leave() => Interlocked.Decrement(ref _open);
}
