namespace NetCoreNetworkBenchmark.Tests.Recording;

public sealed class RunRecorderTests
{
    [Fact]
    public void Enter_moves_every_worker_to_counters_of_its_own()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics[] workers = [recorder.AddWorker(recordsLatency: true), recorder.AddWorker(recordsLatency: true)];
        recorder.Enter(RunPhase.WarmUp);
        Array.ForEach(workers, worker => worker.Current.Counters.ClientSent += 3);
        recorder.Enter(RunPhase.Measure);
        Array.ForEach(workers, worker => worker.Current.Counters.ClientSent += 5);
        Assert.Equal((6, 10), (recorder.Count(RunPhase.WarmUp).ClientSent, recorder.Count(RunPhase.Measure).ClientSent));
        Assert.Equal(16, recorder.Count(RunPhase.WarmUp, RunPhase.Measure).ClientSent);
    }

    [Fact]
    public void Restart_counts_what_a_thread_is_still_counting_as_a_part_of_the_warm_up()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        PhaseStatistics ofBatch = worker.Current;
        ofBatch.Counters.ClientSent += 3;
        recorder.Enter(RunPhase.CoolDown);
        recorder.Restart();
        ofBatch.Counters.ClientSent += 5;
        Assert.Equal((8, 0), (recorder.Count(RunPhase.WarmUp).ClientSent, recorder.Count(RunPhase.Measure).ClientSent));
    }

    [Fact]
    public void A_workers_time_is_that_of_the_clock_of_the_run()
    {
        var clock = new SetClock { Time = 17 };
        using var recorder = new RunRecorder(clock: clock);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        worker.ReadClock();
        clock.Time = 42;
        Assert.Equal(17, worker.Now);
        worker.ReadClock();
        Assert.Equal(42, worker.Now);
        Assert.Same(TimeProvider.System, new RunRecorder().Clock);
    }

    [Fact]
    public void Disconnects_counts_each_end_once_by_its_reason_if_there_is_one()
    {
        using var recorder = new RunRecorder { ExpectsDisconnects = true };
        recorder.CountDisconnect("client ConnectionReset");
        recorder.CountDisconnect(RunRecorder.ServerLost);
        Assert.Equal(["client ConnectionReset"], recorder.Disconnects().Keys);
        recorder.CountDisconnect(RunRecorder.ServerLost);
        Assert.Equal(new Dictionary<string, long> { ["client ConnectionReset"] = 1, [RunRecorder.ServerLost] = 1 }, recorder.Disconnects());
        Assert.Empty(recorder.Errors());
    }

    [Fact]
    public void Unsolicited_adds_up_what_threads_and_rare_calls_counted_until_the_run_stops()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics[] workers = [recorder.AddWorker(recordsLatency: false), recorder.AddWorker(recordsLatency: false)];
        Assert.Empty(recorder.Unsolicited());
        foreach (RunPhase phase in (RunPhase[])[RunPhase.WarmUp, RunPhase.Measure, RunPhase.Stop])
        {
            recorder.Enter(phase);
            Array.ForEach(workers, worker => worker.CountUnsolicitedDatagram());
            recorder.CountUnsolicited(UnsolicitedTraffic.Datagrams, 10);
            recorder.CountUnsolicited(UnsolicitedTraffic.Connections);
        }

        Assert.Equal(new Dictionary<string, long> { [UnsolicitedTraffic.Connections] = 2, [UnsolicitedTraffic.Datagrams] = 24 }, recorder.Unsolicited());
    }

    [Fact]
    public void Parts_with_a_rate_of_their_own_have_figures_of_their_own_that_add_up_to_those_of_the_measurement()
    {
        var clock = new SetClock { Time = 100 };
        using var recorder = new RunRecorder(openLoop: true, clock);
        WorkerStatistics early = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.WarmUp);
        recorder.Reserve(TimeSpan.FromSeconds(1), bins: 3, steps: 3);
        long[] begins = [.. Enumerable.Range(0, 3).Select(_ =>
        {
            clock.Time += Stopwatch.Frequency;
            return recorder.Enter(RunPhase.Measure);
        })];
        clock.Time += Stopwatch.Frequency;
        recorder.Enter(RunPhase.CoolDown);
        WorkerStatistics late = recorder.AddWorker(recordsLatency: true);
        foreach ((int part, long begin) in begins.Index())
        {
            foreach (WorkerStatistics worker in (WorkerStatistics[])[early, late])
            {
                PhaseInterval interval = worker.IntervalOf(begin);
                Assert.Equal((part, RunPhase.Measure), (interval.Part, interval.Statistics.Phase));
                interval.Statistics.Counters.ClientSent += part + 1;
                interval.RecordAnswer(begin, nanoseconds: 1_000 * (part + 1));
                interval.Statistics.Uncorrected!.Record(1);
            }
        }

        Assert.Equal([2, 4, 6], Enumerable.Range(0, 3).Select(part => recorder.CountOfStep(part).ClientSent));
        Assert.Equal([1_000, 2_000, 3_000], Enumerable.Range(0, 3).Select(part => recorder.LatencyOfPart(part).Max));
        Assert.Equal((12, 6), (recorder.Count(RunPhase.Measure).ClientSent, recorder.Count(RunPhase.Measure).ClientReceived));
        Assert.Equal((6, 6), (recorder.Latency().Count, recorder.Uncorrected().Count));
    }

    [Fact]
    public void A_clock_with_other_ticks_is_refused() => Assert.Throws<ArgumentException>(() => new RunRecorder(clock: new SetClock(Stopwatch.Frequency + 1)));

    [Fact]
    public void AddWorker_joins_the_phase_that_the_run_is_in()
    {
        using var recorder = new RunRecorder();
        recorder.Enter(RunPhase.Measure);
        Assert.Equal(RunPhase.Measure, recorder.AddWorker(recordsLatency: false).Current.Phase);
    }

    [Fact]
    public void AddWorker_joins_the_suspension_that_the_other_threads_saw()
    {
        var clock = new SetClock { Time = 100 };
        using var recorder = new RunRecorder(clock: clock);
        recorder.Suspend();
        Assert.False(recorder.AddWorker(recordsLatency: true).RanSince(100));
        clock.Time = 200;
        recorder.Resume();
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        clock.Time = 250;
        worker.ReadClock();
        Assert.Equal((false, true), (worker.RanSince(100), worker.RanSince(200)));
        Assert.Equal((false, true), (worker.IsOverdue(sentAt: 100, deadline: 50), worker.IsOverdue(sentAt: 100, deadline: 49)));
    }

    [Fact]
    public void Counters_are_added_and_subtracted_field_by_field()
    {
        FieldInfo[] fields = typeof(MessageCounters).GetFields();
        object some = default(MessageCounters);
        Array.ForEach(fields, field => field.SetValue(some, (long)Array.IndexOf(fields, field) + 1));
        MessageCounters sum = (MessageCounters)some;
        sum.Add((MessageCounters)some);
        Assert.All(fields, field => Assert.Equal(2 * (long)field.GetValue(some)!, field.GetValue(sum)));
        sum.Subtract((MessageCounters)some);
        Assert.Equal((MessageCounters)some, sum);
    }

    [Fact]
    public void IntervalOf_is_the_interval_that_contains_the_time_on_every_thread()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics early = recorder.AddWorker(recordsLatency: true);
        long warmUp = recorder.Enter(RunPhase.WarmUp);
        long first = recorder.Enter(RunPhase.Measure);
        long second = recorder.Enter(RunPhase.Measure);
        long drain = recorder.Enter(RunPhase.Drain);
        foreach (WorkerStatistics worker in (ReadOnlySpan<WorkerStatistics>)[early, recorder.AddWorker(recordsLatency: true)])
        {
            Assert.Equal((RunPhase.WarmUp, RunPhase.WarmUp), (worker.IntervalOf(warmUp - 1).Statistics.Phase, worker.IntervalOf(first - 1).Statistics.Phase));
            Assert.Equal(RunPhase.Measure, worker.IntervalOf(first).Statistics.Phase);
            worker.IntervalOf(second - 1).RecordAnswer(second - 1, 1);
            worker.IntervalOf(second).RecordAnswer(second, 1);
            worker.IntervalOf(drain - 1).RecordAnswer(drain - 1, 1);
            Assert.Equal((RunPhase.Drain, 1, 2), (worker.IntervalOf(drain).Statistics.Phase, worker.ReceivedSince(first), worker.ReceivedSince(second)));
        }

        Assert.Equal((6, 6), (recorder.Count(RunPhase.Measure).ClientReceived, recorder.Latency().Count));
    }

    [Fact]
    public void IntervalOf_does_not_reach_back_to_a_former_load()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        long measured = recorder.Enter(RunPhase.Measure);
        recorder.Enter(RunPhase.Drain);
        recorder.Enter(RunPhase.Paused);
        recorder.Enter(RunPhase.WarmUp);
        Assert.Equal(RunPhase.WarmUp, worker.IntervalOf(measured).Statistics.Phase);
    }

    [Fact]
    public void HasUnsent_is_true_until_all_messages_that_were_due_in_the_load_are_sent()
    {
        using var recorder = new RunRecorder(openLoop: true);
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        long end = recorder.Enter(RunPhase.Drain);
        Assert.False(worker.HasUnsent);
        worker.NextDue = end - 1;
        Assert.True(worker.HasUnsent);
        worker.NextDue = end;
        Assert.False(worker.HasUnsent);
        worker.Waiting = 1;
        Assert.True(worker.HasUnsent);
    }

    [Fact]
    public async Task InFlight_is_never_too_low_while_other_threads_send_and_receive()
    {
        const int Reads = 20_000;
        using var recorder = new RunRecorder();
        WorkerStatistics sender = recorder.AddWorker(recordsLatency: true);
        WorkerStatistics receiver = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.Measure);
        using var over = new CancellationTokenSource();
        sender.Current.Counters.ClientSent++;
        Task load = Task.Run(() =>
        {
            // One or two messages are in flight.
            while (!over.IsCancellationRequested)
            {
                Volatile.Write(ref sender.Current.Counters.ClientSent, sender.Current.Counters.ClientSent + 1);
                Volatile.Write(ref receiver.Current.Counters.ClientReceived, receiver.Current.Counters.ClientReceived + 1);
            }
        }, TestContext.Current.CancellationToken);
        long[] inFlight = [.. Enumerable.Range(0, Reads).Select(_ => recorder.InFlight())];
        await over.CancelAsync();
        await load;
        Assert.InRange(inFlight.Min(), 1, long.MaxValue);
    }

    [Fact]
    public void Latency_merges_one_phase_of_all_workers()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics[] workers =
            [recorder.AddWorker(recordsLatency: true), recorder.AddWorker(recordsLatency: true), recorder.AddWorker(recordsLatency: false)];
        recorder.Enter(RunPhase.Measure);
        workers[0].Current.Latency!.Record(100);
        workers[1].Current.Latency!.Record(300);
        recorder.Enter(RunPhase.Drain);
        workers[1].Current.Latency!.Record(900);
        Assert.Equal((2, 200d, 300), (recorder.Latency().Count, recorder.Latency().Mean, recorder.Latency().Max));
    }

    [Fact]
    public void Remarks_are_distinct_in_the_order_in_which_they_came_first_from_any_thread()
    {
        using var recorder = new RunRecorder();
        recorder.Remark("First.");
        Parallel.For(0, 100, _ => recorder.Remark("Second."));
        recorder.Remark("First.");
        Assert.Equal(["First.", "Second."], recorder.Remarks());
    }

    [Fact]
    public void A_remark_that_changes_is_described_each_time_and_is_last()
    {
        using var recorder = new RunRecorder();
        int connections = 0;
        recorder.Remark(() => $"{connections} connections.");
        recorder.Remark("First.");
        connections = 7;
        Assert.Equal(["First.", "7 connections."], recorder.Remarks());
        connections = 8;
        Assert.Equal(["First.", "8 connections."], recorder.Remarks());
    }

    [Fact]
    public void InFlight_is_what_was_sent_and_neither_came_back_nor_was_lost()
    {
        using var recorder = new RunRecorder();
        WorkerStatistics worker = recorder.AddWorker(recordsLatency: true);
        recorder.Enter(RunPhase.WarmUp);
        worker.Current.Counters.ClientSent = 10;
        worker.Current.Counters.GivenUp = 3;
        recorder.Enter(RunPhase.Measure);
        worker.Current.Counters.ClientReceived = 4;
        worker.Current.Counters.Late = 1;
        Assert.Equal(4, recorder.InFlight());
    }

    [Fact]
    public void CountError_counts_by_name_until_the_run_is_taken_down()
    {
        using var recorder = new RunRecorder();
        recorder.CountError("peer dropped");
        recorder.CountError("ConnectionReset");
        recorder.CountError("peer dropped");
        recorder.Enter(RunPhase.Stop);
        recorder.CountError("peer dropped");
        Assert.Equal(["ConnectionReset: 1", "peer dropped: 2"], recorder.Errors().Select(error => $"{error.Key}: {error.Value}"));
    }

    [Fact]
    public void ForCurrentThread_gives_each_thread_its_own_and_always_the_same()
    {
        using var recorder = new RunRecorder();
        (WorkerStatistics First, WorkerStatistics Again)[] pairs = new (WorkerStatistics, WorkerStatistics)[2];
        Thread[] threads = [.. Enumerable.Range(0, pairs.Length).Select(index =>
            new Thread(() => pairs[index] = (recorder.ForCurrentThread(), recorder.ForCurrentThread())))];
        Array.ForEach(threads, thread => thread.Start());
        Assert.All(threads, thread => Assert.True(thread.Join(TimeSpan.FromSeconds(60))));
        Assert.All(pairs, pair => Assert.Same(pair.First, pair.Again));
        Assert.NotSame(pairs[0].First, pairs[1].First);
    }

    [Fact]
    public async Task Fault_is_the_first_exception_reported()
    {
        using var recorder = new RunRecorder();
        recorder.ReportFault(new InvalidOperationException("first"));
        recorder.ReportFault(new InvalidOperationException("second"));
        Assert.Equal("first", (await recorder.Fault).Message);
    }
}
