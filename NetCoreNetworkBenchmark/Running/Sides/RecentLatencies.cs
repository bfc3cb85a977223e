namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The threads that record take no part, so a reading may miss latencies of its last moment. A reading allocates nothing.</summary>
internal sealed class RecentLatencies(RunRecorder recorder)
{
    private readonly long[] _counts = new long[BucketLayout.Latency.Length];
    private readonly long[] _countsBefore = new long[BucketLayout.Latency.Length];
    private long _total;

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

    /// <returns>In nanoseconds; null if there were no latencies.</returns>
    public long? AtPercentile(double percentile) => _total == 0 ? null : LatencyHistogram.HighestAtPercentile(percentile, _counts, _total);
}
