using NetCoreNetworkBenchmark.Running.Machine.Meters;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>Uses a thread of its own, since the library may keep the thread pool busy. The thread waits between slices, since a start takes time.</summary>
/// <param name="countsByDue">Whether messages belong to the part in which they were due. <see cref="Complete"/> then sets the figures.</param>
internal sealed class TimelineSampler(
    RunRecorder recorder, ProcessMeter meter, Func<MessageCounters, long>? count, bool hasLatency, bool countsByDue = false) : IDisposable
{
    private const int MaxParts = 1_000;
    private const double HighPercentile = 99;
    private static readonly TimeSpan s_shortest = TimeSpan.FromMilliseconds(100);

    private readonly List<Part> _parts = [];
    private readonly RecentLatencies? _latencies = hasLatency && !countsByDue ? new RecentLatencies(recorder) : null;
    private readonly long[] _counts = new long[countsByDue ? BucketLayout.Latency.Length : 0];
    private Reading _before;
    private TimeSpan _measured;
    private int _firstPart;
    private readonly AutoResetEvent _begun = new(initialState: false);
    private readonly AutoResetEvent _ended = new(initialState: false);

    // A wait that spins before it blocks, fifty times a second, takes its time from what is measured.
    private readonly ManualResetEventSlim _stop = new(initialState: false, spinCount: 0);
    private Thread? _thread;
    private TimeSpan _interval;
    private bool _isRunning;
    private volatile bool _isDisposed;

    /// <summary>The time of the measurement so far in which this process did not run. Not during a measurement.</summary>
    public TimeSpan Stopped { get; private set; }

    public static TimeSpan IntervalOf(TimeSpan length) => length / MaxParts is var interval && interval > s_shortest ? interval : s_shortest;

    public void Begin(TimeSpan interval)
    {
        End();
        _firstPart = _parts.Count;
        _latencies?.Restart();
        _before = Read();
        (_interval, _isRunning) = (interval, true);
        _stop.Reset();
        if (_thread is null)
        {
            _thread = new Thread(SampleAll) { IsBackground = true, Name = "timeline" };
            _thread.Start();
        }

        _begun.Set();
    }

    public void End()
    {
        if (_isRunning)
        {
            _stop.Set();
            _ended.WaitOne();
            _isRunning = false;
            AddPart();
        }
    }

    public void Clear()
    {
        _parts.Clear();
        (_measured, _firstPart, Stopped) = (TimeSpan.Zero, 0, TimeSpan.Zero);
    }

    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        End();
        _isDisposed = true;
        _begun.Set();
        _thread?.Join();
        _begun.Dispose();
        _ended.Dispose();
        _stop.Dispose();
    }

    /// <summary>Called after the drain.</summary>
    public void Complete()
    {
        int[] parts = [.. Enumerable.Range(0, _parts.Count - _firstPart)];
        foreach (int part in countsByDue ? parts : [])
        {
            _counts.AsSpan().Clear();
            long total = recorder.Sum(worker => worker.AddTimelineTo(part, isLast: part == parts[^1], _counts));
            _parts[_firstPart + part] = _parts[_firstPart + part] with
            {
                Messages = total,
                P99 = LatencyHistogram.HighestAtPercentile(HighPercentile, _counts, total),
            };
        }

        _firstPart = _parts.Count;
    }

    public SideTimeline? Report() => _parts.Count == 0 ? null : new SideTimeline(
        Seconds: [.. _parts.Select(part => Math.Round(part.End.TotalSeconds, 4))],
        Messages: count is null ? null : [.. _parts.Select(part => part.Messages)],
        P99Microseconds: hasLatency ? [.. _parts.Select(part => part.P99 / 1_000.0)] : null,
        CpuSeconds: [.. _parts.Select(part => Math.Round(part.Cpu.TotalSeconds, 4))],
        PauseMilliseconds: [.. _parts.Select(part => Math.Round(part.Pause.TotalMilliseconds, 2))],
        PoolQueue: [.. _parts.Select(part => part.PoolQueue)],
        PoolThreads: [.. _parts.Select(part => part.PoolThreads)]);

    private void SampleAll()
    {
        using var detector = new StopDetector();
        while (_begun.WaitOne() && !_isDisposed)
        {
            // The time since the last measurement does not count.
            detector.Wake(TimeSpan.Zero);
            Sample(detector);
            _ended.Set();
        }
    }

    private void Sample(StopDetector detector)
    {
        long start = Stopwatch.GetTimestamp();
        long number = 1;
        while (true)
        {
            // A reading that is late does not delay the next ones.
            TimeSpan left = (_interval * number) - Stopwatch.GetElapsedTime(start);
            TimeSpan asleep = TimeSpan.FromTicks(Math.Clamp(left.Ticks, 0, StopDetector.Interval.Ticks));
            bool isOver = _stop.Wait(asleep);
            Stopped += detector.Wake(asleep);
            if (isOver)
            {
                return;
            }

            if (left <= StopDetector.Interval)
            {
                AddPart();
                number++;
            }
        }
    }

    private void AddPart()
    {
        Reading now = Read();
        _latencies?.Read();
        _measured += Stopwatch.GetElapsedTime(_before.Timestamp, now.Timestamp);
        _parts.Add(new Part(
            _measured,
            countsByDue ? 0 : now.Messages - _before.Messages,
            _latencies?.AtPercentile(HighPercentile) ?? 0,
            now.Cpu - _before.Cpu,
            now.Pause - _before.Pause,
            ThreadPool.PendingWorkItemCount,
            ThreadPool.ThreadCount));
        _before = now;
    }

    private Reading Read() => new(
        Stopwatch.GetTimestamp(), count?.Invoke(recorder.Count(RunPhase.Measure, RunPhase.Stop)) ?? 0, meter.CpuTime(), GC.GetTotalPauseDuration());

    private readonly record struct Reading(long Timestamp, long Messages, TimeSpan Cpu, TimeSpan Pause);

    private readonly record struct Part(TimeSpan End, long Messages, long P99, TimeSpan Cpu, TimeSpan Pause, long PoolQueue, int PoolThreads);
}
