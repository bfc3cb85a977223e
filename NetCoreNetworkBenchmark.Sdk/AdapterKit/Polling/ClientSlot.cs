namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>
/// The slot of one client in its group. If the plan requests it, a client that loses its connection is followed by a new one, which is a new peer for the
/// workload, until the run ends. Calls for one slot are serial.
/// </summary>
internal abstract class ClientSlot(ClientSetup setup, IConnectObserver first) : IConnectObserver
{
    private readonly TimeSpan? _interval = setup.Plan.Liveness.Reconnect;
    private bool _wasConnected;

    // The time of the loss after which no answer has come yet; 0 if there was none.
    private long _lostAt;

    public bool AwaitsAnswer => _lostAt != 0;

    public void Connected()
    {
        if (!_wasConnected)
        {
            _wasConnected = true;
            first.Connected();
            return;
        }

        setup.Recorder.Reconnections.CountReturned();
        OnReturned();
    }

    public void Refused(string reason)
    {
        if (!_wasConnected)
        {
            first.Refused(reason);
        }
        else if (_interval is { } interval)
        {
            ReturnLater(interval);
        }
    }

    public void Lost()
    {
        if (_interval is { } interval && _wasConnected && setup.Recorder.Phase != RunPhase.Stop)
        {
            _lostAt = _lostAt == 0 ? setup.Recorder.Clock.GetTimestamp() : _lostAt;
            setup.Recorder.Reconnections.CountLost();
            ReturnLater(interval);
        }
    }

    public void Answered()
    {
        setup.Recorder.Reconnections.RecordGap(setup.Recorder.Clock.GetTimestamp() - _lostAt);
        _lostAt = 0;
    }

    /// <summary>Schedules the next attempt, by the run's clock.</summary>
    protected abstract void ReturnAt(long due);

    /// <summary>Called when a client has connected again. Its load begins if the load of the group has begun.</summary>
    protected abstract void OnReturned();

    // Clients that lost the same server at the same time do not come back at the same time.
    private void ReturnLater(TimeSpan interval) =>
        ReturnAt(setup.Recorder.Clock.GetTimestamp() + (long)(interval.TotalSeconds * (0.5 + (Random.Shared.NextDouble() / 2)) * Stopwatch.Frequency));
}
