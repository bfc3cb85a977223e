namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>Lets the open connections of one side whose library calls back send their heartbeats, every <see cref="ClientSetup.TickInterval"/>.</summary>
internal sealed class LivenessTimer(RunRecorder recorder)
{
    private readonly HashSet<StreamPeer> _peers = [];
    private bool _isRunning;

    /// <summary>Starts to look at a connection. From any thread.</summary>
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

    /// <summary>Stops to look at a connection. A connection that was not added is ignored. From any thread.</summary>
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
