using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// Reads the figures of the clients for a user who watches the run, from what the threads that serve messages count anyway. These threads take no part, so a
/// reading may miss messages of its last moment.
/// </summary>
internal sealed class LiveReader(RunRecorder recorder, ProcessMeter meter, bool isOneWay)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(0.9);
    private readonly long[] _counts = new long[BucketLayout.Latency.Length];
    private readonly long[] _countsBefore = new long[BucketLayout.Latency.Length];
    private RunPhase _phase;
    private long _readAt;
    private long _received;
    private TimeSpan _cpu;
    private LiveFigures? _last;

    public void Begin(RunPhase phase)
    {
        (_phase, _last) = (phase, null);
        (_readAt, _received, _cpu) = (Stopwatch.GetTimestamp(), recorder.Count(phase).ClientReceived, meter.CpuTime());
    }

    /// <summary>Returns the figures of about the last second; of a shorter time at the first reading in a phase.</summary>
    public LiveFigures Read()
    {
        if (_last is not null && Stopwatch.GetElapsedTime(_readAt) < s_interval)
        {
            return _last;
        }

        (long readAt, long received, TimeSpan cpu) = (_readAt, _received, _cpu);
        (_readAt, _received, _cpu) = (Stopwatch.GetTimestamp(), recorder.Count(_phase).ClientReceived, meter.CpuTime());
        double seconds = Math.Max(Stopwatch.GetElapsedTime(readAt, _readAt).TotalSeconds, double.Epsilon);
        long timed = ReadLatencies();
        return _last = new LiveFigures((_received - received) / seconds)
        {
            P50Microseconds = PercentileOf(50, timed),
            P99Microseconds = PercentileOf(99, timed),
            InFlight = isOneWay ? null : Math.Max(0, recorder.InFlight()),
            Lost = Math.Max(0, recorder.Count(Enum.GetValues<RunPhase>()).Lost),
            ClientCores = (_cpu - cpu).TotalSeconds / seconds,
        };
    }

    // The number of latencies since the last call.
    private long ReadLatencies()
    {
        _counts.AsSpan().Clear();
        recorder.AddLatencyCounts(_counts);
        long total = 0;
        for (int index = 0; index < _counts.Length; index++)
        {
            long now = _counts[index];
            _counts[index] -= _countsBefore[index];
            _countsBefore[index] = now;
            total += _counts[index];
        }

        return total;
    }

    private double? PercentileOf(double percentile, long total) =>
        total == 0 ? null : LatencyHistogram.HighestAtPercentile(percentile, _counts, total) / 1_000.0;
}
