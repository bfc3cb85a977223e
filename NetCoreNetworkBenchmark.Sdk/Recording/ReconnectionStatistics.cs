namespace NetCoreNetworkBenchmark.Recording;

/// <summary>The connections that clients lost and opened again within a run. Each is a rare event. From any thread.</summary>
public sealed class ReconnectionStatistics
{
    private readonly LatencyHistogram _gaps = new();
    private long _lost;
    private long _attempts;
    private long _returned;

    /// <summary>Counts a connection that a client lost.</summary>
    public void CountLost() => Interlocked.Increment(ref _lost);

    /// <summary>Counts an attempt to connect again.</summary>
    public void CountAttempt() => Interlocked.Increment(ref _attempts);

    /// <summary>Counts an attempt that succeeded.</summary>
    public void CountReturned() => Interlocked.Increment(ref _returned);

    /// <summary>Records the time from the loss of a connection to the first answer that the client got after it.</summary>
    /// <param name="ticks">The difference of two readings of the run's clock.</param>
    public void RecordGap(long ticks)
    {
        lock (_gaps)
        {
            _gaps.Record(RunRecorder.ToNanoseconds(ticks));
        }
    }

    /// <summary>Reads the counts so far.</summary>
    /// <returns>The connections that were lost, the attempts to connect again, those that succeeded, and a copy of the gaps in nanoseconds.</returns>
    public (long Lost, long Attempts, long Returned, LatencyHistogram Gaps) Read()
    {
        lock (_gaps)
        {
            var gaps = new LatencyHistogram();
            gaps.Add(_gaps);
            return (_lost, _attempts, _returned, gaps);
        }
    }
}
