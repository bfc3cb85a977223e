namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

public sealed class DueCountingTests
{
    [Fact]
    public void Complete_counts_each_iteration_by_due_time_after_the_drain()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        var counting = new DueCounting(recorder);
        recorder.Enter(RunPhase.WarmUp);
        long first = recorder.Enter(RunPhase.Measure);
        long second = recorder.Enter(RunPhase.Measure);
        counting.Begin(first);
        counting.Begin(second);
        recorder.Enter(RunPhase.Drain);
        Array.ForEach([first, second, second], due => worker.IntervalOf(due).RecordAnswer(due, 1));

        // The iteration of an earlier slice is not counted again.
        var iterations = new List<IterationResult> { new(1, 42), new(1, 0), new(1, 0) };
        counting.Complete(iterations);
        Assert.Equal([42L, 1, 2], iterations.Select(iteration => iteration.Messages));
        counting.Complete(iterations);
        Assert.Equal([42L, 1, 2], iterations.Select(iteration => iteration.Messages));
    }

    [Fact]
    public void Count_has_messages_that_still_wait_as_sent_late_and_lost()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        worker.Current.Counters.ClientSent = 10;
        worker.Waiting = 3;
        MessageCounters counters = new DueCounting(recorder).Count(RunPhase.Measure);
        Assert.Equal((13, 3, 3), (counters.ClientSent, counters.SentLate, counters.Lost));
    }
}
