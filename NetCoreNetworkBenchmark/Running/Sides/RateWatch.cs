namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Measures the rate at which round trips complete, from one reading to the next.</summary>
internal sealed class RateWatch(RunRecorder recorder, RunPhase phase)
{
    private long _seenAt = Stopwatch.GetTimestamp();
    private long _seen = recorder.Count(phase).ClientReceived;

    /// <summary>The rate at the last reading, in messages per second.</summary>
    public double Rate { get; private set; }

    public TimeSpan Bin { get; private set; }

    public double Read()
    {
        long now = Stopwatch.GetTimestamp();
        long received = recorder.Count(phase).ClientReceived;
        Bin = Stopwatch.GetElapsedTime(_seenAt, now);
        Rate = (received - _seen) / Bin.TotalSeconds;
        (_seenAt, _seen) = (now, received);
        return Rate;
    }
}
