namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class TimelineSamplerTests
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);

    [Fact]
    public void Each_part_has_the_messages_and_latencies_since_the_one_before()
    {
        using var recorder = new RunRecorder();
        (WorkerStatistics worker, TimelineSampler sampler) = MeasuredBy(recorder);
        using TimelineSampler disposed = sampler;
        foreach ((int messages, long latency) in (ReadOnlySpan<(int, long)>)[(1_000, 10_000), (0, 0), (500, 2_000_000)])
        {
            // The end of a measurement is the end of a part.
            sampler.Begin(s_long);
            Receive(worker, messages, latency);
            sampler.End();
        }

        SideTimeline timeline = sampler.Report()!;
        Assert.Equal([1_000L, 0, 500], timeline.Messages!);
        Assert.Equal(3, timeline.P99Microseconds!.Count);
        Assert.Equal(10, timeline.P99Microseconds[0], tolerance: 0.01);
        Assert.Equal(0, timeline.P99Microseconds[1]);
        Assert.Equal(2_000, timeline.P99Microseconds[2], tolerance: 2);
        Assert.Equal(timeline.Seconds.Order(), timeline.Seconds);
    }

    [Fact]
    public void The_99th_percentile_is_that_of_the_part()
    {
        using var recorder = new RunRecorder();
        (WorkerStatistics worker, TimelineSampler sampler) = MeasuredBy(recorder);
        using TimelineSampler disposed = sampler;
        sampler.Begin(s_long);
        Receive(worker, 989, 1_000);
        Receive(worker, 11, 1_000_000);
        sampler.End();
        sampler.Begin(s_long);
        Receive(worker, 990, 1_000);
        Receive(worker, 10, 1_000_000);
        sampler.End();
        Assert.Equal([1_000, 1], sampler.Report()!.P99Microseconds!.Select(value => Math.Round(value, 0)));
    }

    [Fact]
    public void A_measurement_is_read_at_each_interval_and_all_messages_are_in_a_part()
    {
        using var recorder = new RunRecorder();
        (WorkerStatistics worker, TimelineSampler sampler) = MeasuredBy(recorder);
        using TimelineSampler disposed = sampler;
        const int Parts = 20;
        sampler.Begin(TimeSpan.FromMilliseconds(10));
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(10 * Parts))
        {
            Receive(worker, 1, 5_000);
        }

        sampler.End();
        SideTimeline timeline = sampler.Report()!;
        Assert.Equal(recorder.Count(RunPhase.Measure).ClientReceived, timeline.Messages!.Sum());
        Assert.InRange(timeline.Seconds.Count, 1, 2 * Parts);
        Assert.True(timeline.CpuSeconds.Sum() > 0);
        Assert.All(timeline.PoolThreads, threads => Assert.True(threads >= 0));
    }

    [Fact]
    public void In_an_open_loop_a_message_is_in_the_part_in_which_it_was_due()
    {
        var part = TimeSpan.FromHours(1);
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        using var sampler = new TimelineSampler(recorder, new ProcessMeter(), counters => counters.ClientReceived, hasLatency: true, countsByDue: true);
        foreach (int measurement in (int[])[1, 2])
        {
            recorder.Enter(RunPhase.WarmUp);
            recorder.Reserve(part, bins: 3);
            long since = recorder.Enter(RunPhase.Measure);
            sampler.Begin(part);
            sampler.End();
            Record(worker, since, measurement * 100, 1_000_000);
            Record(worker, since + RunRecorder.ToTicks(part) - 1, 1, 1_000_000);

            // The sampler has read no second part: what was due later is in the last one.
            Record(worker, since + RunRecorder.ToTicks(2 * part), 10, 3_000_000);
            recorder.Enter(RunPhase.Drain);
            sampler.Complete();
        }

        SideTimeline timeline = sampler.Report()!;
        Assert.Equal([111L, 211], timeline.Messages!);
        Assert.All(timeline.P99Microseconds!, value => Assert.Equal(3_000, value, tolerance: 30));
    }

    [Fact]
    public void A_side_without_latencies_and_counts_shows_none()
    {
        using var recorder = new RunRecorder();
        using var sampler = new TimelineSampler(recorder, new ProcessMeter(), count: null, hasLatency: false);
        Assert.Null(sampler.Report());
        sampler.Begin(s_long);
        sampler.End();
        Assert.Equal((null, null, 1), (sampler.Report()!.Messages, sampler.Report()!.P99Microseconds, sampler.Report()!.Seconds.Count));
    }

    [Fact]
    public void Clear_discards_the_measurements_so_far_and_the_next_one_begins_at_zero()
    {
        using var recorder = new RunRecorder();
        using var sampler = new TimelineSampler(recorder, new ProcessMeter(), count: null, hasLatency: false);
        sampler.Begin(s_long);
        sampler.End();
        double first = sampler.Report()!.Seconds[0];
        sampler.Clear();
        Assert.Null(sampler.Report());
        sampler.Begin(s_long);
        sampler.End();
        Assert.InRange(Assert.Single(sampler.Report()!.Seconds), 0, first + 1);
    }

    [Theory, InlineData(1, 0.1), InlineData(100, 0.1), InlineData(1_000, 1)]
    public void A_long_measurement_has_longer_parts(double seconds, double interval) =>
        Assert.Equal(interval, TimelineSampler.IntervalOf(TimeSpan.FromSeconds(seconds)).TotalSeconds, precision: 6);

    [Fact]
    public void Merge_adds_timelines_of_several_load_generators_part_by_part()
    {
        SideTimeline merged = LoadGeneratorReports.Merge([Create([1, 2], [10, 20]), Create([3, 4, 5], [30, 5, 1])]);
        Assert.Equal([4L, 6], merged.Messages!);
        Assert.Equal([30.0, 20], merged.P99Microseconds!);
        Assert.Equal([0.2, 0.2], merged.CpuSeconds);
        Assert.Equal([7L, 7], merged.PoolQueue);
    }

    private static (WorkerStatistics Worker, TimelineSampler Sampler) MeasuredBy(RunRecorder recorder)
    {
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        return (worker, new TimelineSampler(recorder, new ProcessMeter(), counters => counters.ClientReceived, hasLatency: true));
    }

    private static void Receive(WorkerStatistics worker, int messages, long nanoseconds)
    {
        PhaseStatistics measured = worker.Current;
        for (int message = 0; message < messages; message++)
        {
            measured.Counters.ClientReceived++;
            measured.Latency!.Record(nanoseconds);
        }
    }

    private static void Record(WorkerStatistics worker, long due, int messages, long nanoseconds)
    {
        for (int message = 0; message < messages; message++)
        {
            worker.IntervalOf(due).RecordAnswer(due, nanoseconds);
        }
    }

    private static SideTimeline Create(long[] messages, double[] p99) => new(
        Seconds: [.. messages.Select((_, part) => Math.Round(0.1 * (part + 1), 1))],
        Messages: messages,
        P99Microseconds: p99,
        CpuSeconds: [.. messages.Select(_ => 0.1)],
        PauseMilliseconds: [.. messages.Select(_ => 1.0)],
        PoolQueue: [.. messages.Select(_ => 7L)],
        PoolThreads: [.. messages.Select(_ => 2)]);
}
