namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// Limits the connections of a stream server, of all its threads together, by the number of the plan's clients, and by the descriptors that the process can
/// spare (<see cref="ServerSetup.MaxConnections"/>). Besides the clients, the same number of unsolicited connections may be open, and at least 64, so that
/// those that come first do not take the slots of the clients. Connections in excess of the plan are counted
/// (<see cref="UnsolicitedTraffic.Connections"/>), and those for which there is no descriptor are errors. From any thread.
/// </summary>
public sealed class ConnectionLimit(ServerSetup setup)
{
    private const int MinUnsolicited = 64;

    // Any client of HTTP may come, and each opens its next connection before the server has noticed the end of the last one.
    private readonly bool _isOpenToAll = setup.Plan.Framing == Framing.Http;
    private readonly int _maxOfPlan = (int)Math.Min(setup.Plan.Clients + (long)Math.Max(setup.Plan.Clients, MinUnsolicited), int.MaxValue);
    private int _open;

    /// <summary>Reserves a slot for an accepted connection; false if there is none, so that the connection must be closed at once.</summary>
    public bool TryEnter()
    {
        int open = Interlocked.Increment(ref _open);

        // There are descriptors for the first ones, and a server that opens and closes a few all the time does not read the limit for each.
        if (open > MinUnsolicited && open > setup.MaxConnections())
        {
            setup.Recorder.CountError($"server {SocketError.TooManyOpenSockets}");
            Leave();
            return false;
        }

        if (open > setup.Plan.Clients && !_isOpenToAll)
        {
            setup.Recorder.CountUnsolicited(UnsolicitedTraffic.Connections);
        }

        if (open <= _maxOfPlan || _isOpenToAll)
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>Releases the slot of a connection that has ended.</summary>
    public void Leave() => Interlocked.Decrement(ref _open);
}
