namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>
/// The heartbeats of one side of a connection. A peer is dead after (misses + 0.5) intervals without received data, or without progress on unsent data.
/// Not thread-safe.
/// </summary>
public sealed class Liveness
{
    private readonly long _interval;
    private readonly long _longestSilence;
    private long _lastReceived;
    private long _lastSent;

    private Liveness(TimeSpan interval, int misses, long now)
    {
        _interval = RunRecorder.ToTicks(interval);

        // A peer that is well sends its heartbeat up to a tick late.
        _longestSilence = (_interval * misses) + (_interval / 2);
        Fault = FormattableString.Invariant($"closed a connection after {misses} missed heartbeats");
        (_lastReceived, _lastSent) = (now, now);
    }

    /// <summary>The reason for which a connection ends when the other side is gone, for the name of an error.</summary>
    public string Fault { get; }

    /// <summary>Creates the state of a connection that is established now; null if the plan has no heartbeats.</summary>
    public static Liveness? For(RunPlan plan, long now) =>
        plan.Liveness.Heartbeat is { } interval ? new Liveness(interval, plan.Liveness.HeartbeatMisses, now) : null;

    /// <summary>Notes that bytes have arrived.</summary>
    public void Received(long now) => _lastReceived = now;

    /// <summary>Notes that the system, or the library, has accepted bytes.</summary>
    public void Sent(long now) => _lastSent = now;

    /// <summary>Determines whether the other side is gone.</summary>
    public bool IsLost(long now, bool hasUnsent) => now - _lastReceived > _longestSilence || (hasUnsent && now - _lastSent > _longestSilence);

    /// <summary>Determines whether a heartbeat is due, because nothing was sent for an interval.</summary>
    public bool IsDue(long now) => now - _lastSent >= _interval;
}

/// <summary>Lets the open connections of one side whose library calls back send their heartbeats, every <see cref="ClientSetup.TickInterval"/>.</summary>
internal sealed class LivenessTimer(RunRecorder recorder)
{
    private readonly HashSet<StreamPeer> _peers = [];
    private bool _isRunning;

    /// <summary>Can be called from any thread.</summary>
    public void Add(StreamPeer peer)
    {
        lock (_peers)
        {
            _peers.Add(peer);
            if (!_isRunning)
            {
                _isRunning = true;
                _ = Task.Run(RunAsync);
            }
        }
    }

    /// <summary>Can be called from any thread. A connection that was not added is ignored.</summary>
    public void Remove(StreamPeer peer)
    {
        lock (_peers)
        {
            _peers.Remove(peer);
        }
    }

    private async Task RunAsync()
    {
        try
        {
            using var timer = new PeriodicTimer(ClientSetup.TickInterval);
            while (await timer.WaitForNextTickAsync().ConfigureAwait(false) && TakePeers() is { } peers)
            {
                Array.ForEach(peers, peer => peer.KeepAlive());
            }
        }
        catch (Exception exception)
        {
            recorder.ReportFault(exception);
        }
    }

    // Returns null if there are none, after which the timer does not run.
    private StreamPeer[]? TakePeers()
    {
        lock (_peers)
        {
            _isRunning = _peers.Count > 0;
            return _isRunning ? [.. _peers] : null;
        }
    }
}
