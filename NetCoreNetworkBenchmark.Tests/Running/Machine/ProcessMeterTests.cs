namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class ProcessMeterTests
{
    private readonly ProcessMeter _meter = new();

    [Fact]
    public void Between_counts_the_CPU_time_that_a_thread_has_used()
    {
        (ProcessCost cost, double elapsed) = UseProcessor();

        // Other tests use CPU time at the same time, so only a minimum is known. The system's own clock counts in steps of 10 ms.
        Assert.InRange(cost.CpuSeconds, 0.18, double.MaxValue);
        Assert.InRange(cost.Seconds, 0, elapsed);
        Assert.Equal(cost.CpuSeconds * 1000, cost.CpuMicrosecondsPerMessage!.Value, tolerance: 1e-9);
        Assert.Equal(1000 / cost.CpuSeconds, cost.MessagesPerCpuSecond, tolerance: 1e-6);
    }

    [Fact]
    [Trait("Category", "Timing")]
    public void Between_counts_no_more_CPU_time_than_the_processors_have()
    {
        (ProcessCost cost, double elapsed) = UseProcessor();
        Assert.InRange(cost.CpuSeconds, 0, elapsed * Environment.ProcessorCount * 1.05);
    }

    private (ProcessCost Cost, double Elapsed) UseProcessor()
    {
        long start = Stopwatch.GetTimestamp();
        ProcessSnapshot before = _meter.Read();
        using var process = Process.GetCurrentProcess();
        TimeSpan used = process.TotalProcessorTime;
        TimeSpan wanted = used + TimeSpan.FromMilliseconds(200);
        while (process.TotalProcessorTime < wanted)
        {
            process.Refresh();
        }

        ProcessCost cost = _meter.Between(before, _meter.Read(), messages: 1000);
        return (cost, Stopwatch.GetElapsedTime(start).TotalSeconds);
    }

    [Fact]
    public void Between_counts_what_was_allocated_and_collected()
    {
        long start = Stopwatch.GetTimestamp();
        ProcessSnapshot before = _meter.Read();
        byte[][] kept = [.. Enumerable.Range(0, 100).Select(_ => new byte[10_000])];
        GC.Collect();
        ProcessCost cost = _meter.Between(before, _meter.Read(), messages: 10);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        GC.KeepAlive(kept);
        Assert.InRange(cost.AllocatedBytes, 1_000_000, long.MaxValue);
        Assert.InRange(cost.AllocatedBytesPerMessage!.Value, 100_000, double.MaxValue);
        Assert.All(cost.Collections, collections => Assert.InRange(collections, 1, int.MaxValue));
        Assert.InRange(cost.PauseSeconds, double.Epsilon, elapsed.TotalSeconds);
    }

    [Fact]
    public async Task Between_counts_the_CPU_time_of_client_threads_apart()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux counts the CPU time of threads that others can read.");
        using var recorder = new RunRecorder();
        var loop = new PollLoop("clients", recorder, servesClients: true);
        await OnLoopAsync(loop, () => { });
        _meter.CountApart([loop.ThreadId!.Value]);
        ProcessSnapshot before = _meter.Read();
        await OnLoopAsync(loop, () => UseProcessor());
        ProcessCost cost = _meter.Between(before, _meter.Read(), messages: 1);
        await loop.StopAsync(TimeSpan.FromSeconds(10));
        Assert.InRange(cost.ClientThreadsCpuSeconds!.Value, double.Epsilon, cost.CpuSeconds * 1.1);

        static Task OnLoopAsync(PollLoop loop, Action action)
        {
            var done = new TaskCompletionSource();
            loop.Post(() =>
            {
                action();
                done.SetResult();
            });
            return done.Task.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        }
    }

    [Fact]
    public async Task Between_reports_the_peak_number_of_threads()
    {
        using var end = new ManualResetEventSlim();
        Thread[] threads = [.. Enumerable.Range(0, 20).Select(_ => new Thread(() => end.Wait(TimeSpan.FromSeconds(60))))];
        Array.ForEach(threads, thread => thread.Start());

        // The first reading looks at the threads, and soon after it none does.
        ProcessSnapshot before = _meter.Read();
        end.Set();
        await Task.Run(() => Array.ForEach(threads, thread => thread.Join(TimeSpan.FromSeconds(60))), TestContext.Current.CancellationToken);
        Assert.InRange(_meter.Between(before, _meter.Read(), messages: 1).PeakThreads, 21, int.MaxValue);
    }

    [Fact]
    public async Task Between_counts_a_thread_that_gives_up_its_core_to_wait()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells the context switches of a process.");
        ProcessSnapshot before = _meter.Read();
        for (int wait = 0; wait < 20; wait++)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
        }

        ProcessCost cost = _meter.Between(before, _meter.Read(), messages: 1);
        Assert.InRange(cost.VoluntaryContextSwitches!.Value, 10, long.MaxValue);
        Assert.InRange(cost.InvoluntaryContextSwitches!.Value, 0, long.MaxValue);
        Assert.InRange(cost.PeakResidentBytes!.Value, 1_000_000, long.MaxValue);
    }

    [Fact]
    public void A_cost_without_messages_or_CPU_time_has_no_ratios()
    {
        ProcessSnapshot reading = _meter.Read();
        ProcessCost cost = _meter.Between(reading, reading, messages: 0);
        Assert.Equal((null, 0, null), (cost.CpuMicrosecondsPerMessage, cost.MessagesPerCpuSecond, cost.AllocatedBytesPerMessage));
    }
}
