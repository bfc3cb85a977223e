using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The threads that serve messages take no part, so a reading may miss messages of its last moment.</summary>
internal sealed class LiveReader(RunRecorder recorder, ProcessMeter meter, bool isOneWay)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(0.9);
    private readonly RecentLatencies _latencies = new(recorder);
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

    /// <returns>Figures of about the last second; of a shorter time at the first reading in a phase.</returns>
    public LiveFigures Read()
    {
        if (_last is not null && Stopwatch.GetElapsedTime(_readAt) < s_interval)
        {
            return _last;
        }

        (long readAt, long received, TimeSpan cpu) = (_readAt, _received, _cpu);
        (_readAt, _received, _cpu) = (Stopwatch.GetTimestamp(), recorder.Count(_phase).ClientReceived, meter.CpuTime());
        double seconds = Math.Max(Stopwatch.GetElapsedTime(readAt, _readAt).TotalSeconds, double.Epsilon);
        _latencies.Read();
        return _last = new LiveFigures((_received - received) / seconds)
        {
            P50Microseconds = _latencies.AtPercentile(50) / 1_000.0,
            P99Microseconds = _latencies.AtPercentile(99) / 1_000.0,
            InFlight = isOneWay ? null : Math.Max(0, recorder.InFlight()),
            Lost = Math.Max(0, recorder.Count(Enum.GetValues<RunPhase>()).Lost),
            ClientCores = (_cpu - cpu).TotalSeconds / seconds,
        };
    }
}
