namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// The latencies of the measurement that were recorded between two readings. The threads that record them take no part, so a reading may miss those of its last
/// moment. A reading allocates nothing.
/// </summary>
internal sealed class RecentLatencies(RunRecorder recorder)
{
    private readonly long[] _counts = new long[BucketLayout.Latency.Length];
    private readonly long[] _countsBefore = new long[BucketLayout.Latency.Length];
    private long _total;

    /// <summary>Lets the next reading begin now.</summary>
    public void Restart()
    {
        _countsBefore.AsSpan().Clear();
        recorder.AddLatencyCounts(_countsBefore);
    }

    public void Read()
    {
        _counts.AsSpan().Clear();
        recorder.AddLatencyCounts(_counts);
        _total = 0;
        for (int index = 0; index < _counts.Length; index++)
        {
            long now = _counts[index];
            _counts[index] = now - _countsBefore[index];
            _countsBefore[index] = now;
            _total += _counts[index];
        }
    }

    /// <summary>Returns a percentile of the last reading in nanoseconds; null if there were no latencies.</summary>
    public long? AtPercentile(double percentile) => _total == 0 ? null : LatencyHistogram.HighestAtPercentile(percentile, _counts, _total);
}
