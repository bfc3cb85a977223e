using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

public sealed class ProcessMeterTests
{
    private readonly ProcessMeter _meter = new();

    [Fact]
    public void CostOf_counts_the_CPU_time_that_a_thread_has_used()
    {
        (ProcessCost cost, double elapsed) = UseProcessor();

        // Other tests use CPU time at the same time, so only a minimum is known. The system's own clock counts in steps of 10 ms.
        Assert.InRange(cost.CpuSeconds, 0.18, double.MaxValue);
        Assert.InRange(cost.Seconds, 0, elapsed);
        Assert.Equal(cost.CpuSeconds * 1000, cost.CpuMicrosecondsPerMessage!.Value, tolerance: 1e-9);
        Assert.Equal(1000 / cost.CpuSeconds, cost.MessagesPerCpuSecond!.Value, tolerance: 1e-6);
    }

    [Fact, Trait("Category", "Timing")]
    public void CostOf_counts_no_more_CPU_time_than_the_processors_have()
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

        ProcessCost cost = _meter.CostOf(_meter.Read().Since(before), messages: 1000);
        return (cost, Stopwatch.GetElapsedTime(start).TotalSeconds);
    }

    [Fact]
    public void CostOf_counts_what_was_allocated_and_collected()
    {
        long start = Stopwatch.GetTimestamp();
        ProcessSnapshot before = _meter.Read();
        byte[][] kept = [.. Enumerable.Range(0, 100).Select(_ => new byte[10_000])];
        GC.Collect();
        ProcessCost cost = _meter.CostOf(_meter.Read().Since(before), messages: 10);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        GC.KeepAlive(kept);
        Assert.InRange(cost.AllocatedBytes, 1_000_000, long.MaxValue);
        Assert.InRange(cost.AllocatedBytesPerMessage!.Value, 100_000, double.MaxValue);
        Assert.All(cost.Collections, collections => Assert.InRange(collections, 1, int.MaxValue));
        Assert.InRange(cost.PauseSeconds, double.Epsilon, elapsed.TotalSeconds);
    }

    [Fact]
    public async Task CostOf_counts_the_CPU_time_of_client_threads_apart()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux counts the CPU time of threads that others can read.");
        using var recorder = new RunRecorder();
        var loop = new PollLoop("clients", recorder, servesClients: true);
        await OnLoopAsync(loop, () => { });
        _meter.CountSeparately([loop.ThreadId!.Value]);
        ProcessSnapshot before = _meter.Read();
        await OnLoopAsync(loop, () => UseProcessor());
        ProcessCost cost = _meter.CostOf(_meter.Read().Since(before), messages: 1);
        await loop.StopAsync(TimeSpan.FromSeconds(10));
        Assert.InRange(cost.ClientThreadsCpuSeconds!.Value, double.Epsilon, cost.CpuSeconds * 1.1);

        static Task OnLoopAsync(PollLoop loop, Action action)
        {
            var completion = new TaskCompletionSource();
            loop.Post(() =>
            {
                action();
                completion.SetResult();
            });
            return completion.Task.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        }
    }

    [Fact]
    public async Task CostOf_reports_the_peak_number_of_threads()
    {
        using var end = new ManualResetEventSlim();
        Thread[] threads = [.. Enumerable.Range(0, 20).Select(_ => new Thread(() => end.Wait(TimeSpan.FromSeconds(60))))];
        Array.ForEach(threads, thread => thread.Start());

        // The first reading looks at the threads, and soon after it none does.
        ProcessSnapshot before = _meter.Read();
        end.Set();
        await Task.Run(() => Array.ForEach(threads, thread => thread.Join(TimeSpan.FromSeconds(60))), TestContext.Current.CancellationToken);
        Assert.InRange(_meter.CostOf(_meter.Read().Since(before), messages: 1).PeakThreads, 21, int.MaxValue);
    }

    [Fact]
    public async Task CostOf_counts_a_thread_that_gives_up_its_core_to_wait()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells the context switches of a process.");
        ProcessSnapshot before = _meter.Read();
        for (int wait = 0; wait < 20; wait++)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(1), TestContext.Current.CancellationToken);
        }

        ProcessCost cost = _meter.CostOf(_meter.Read().Since(before), messages: 1);
        Assert.InRange(cost.VoluntaryContextSwitches!.Value, 10, long.MaxValue);
        Assert.InRange(cost.InvoluntaryContextSwitches!.Value, 0, long.MaxValue);
        Assert.InRange(cost.PeakResidentBytes!.Value, 1_000_000, long.MaxValue);
    }

    [Fact]
    public void A_cost_without_messages_or_CPU_time_has_no_ratios()
    {
        ProcessSnapshot reading = _meter.Read();
        ProcessCost cost = _meter.CostOf(reading.Since(reading), messages: 0);
        Assert.Equal(((double?)null, (double?)null, (double?)null), (cost.CpuMicrosecondsPerMessage, cost.MessagesPerCpuSecond, cost.AllocatedBytesPerMessage));
    }
}

public sealed class ThreadLimitTests : InTemporaryFolder
{
    [Fact]
    public void ThreadLimits_has_those_of_the_group_and_of_the_groups_around_it()
    {
        Write("proc/self/cgroup", "8:pids:/outer/inner\n0::/\n");
        Write("proc/self/mountinfo", "40 30 0:35 / /sys/fs/cgroup/pids rw,relatime shared:9 - cgroup cgroup rw,pids\n");
        Write("sys/fs/cgroup/pids/pids.current", "500\n");
        Write("sys/fs/cgroup/pids/outer/pids.max", "300\n");
        Write("sys/fs/cgroup/pids/outer/pids.current", "200\n");
        Write("sys/fs/cgroup/pids/outer/inner/pids.max", "80\n");
        Write("sys/fs/cgroup/pids/outer/inner/pids.current", "75\n");
        Write("sys/fs/cgroup/pids/outer/inner/pids.events", "max 3\n");
        IReadOnlyList<ThreadLimit> limits = new ControlGroup(Folder.FullName).ThreadLimits();
        Assert.Equal([(80, 75, 3, 5), (300, 200, 0, 100)], limits.Select(limit => (limit.Max, limit.Used, limit.Refusals, limit.Left)));
        Assert.Equal(
            $"its control group (pids.max of {Folder.FullName}/sys/fs/cgroup/pids/outer/inner) allows 80 threads, of which 75 are in use", limits[0].Text);
    }

    [Fact]
    public void Allows_counts_the_threads_of_this_process_as_present()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has a limit of threads that is known.");
        int own = Directory.GetDirectories("/proc/self/task").Length;
        var limit = new ThreadLimit("x", 1_000_000, 990_000 + own, 0, "y");
        Assert.True(limit.Allows(9_000));
        Assert.False(limit.Allows(11_000));
    }
}

public sealed class ProcessMemoryTests
{
    private const int Kept = 256 * 1024 * 1024;

    [Fact]
    public void Read_sees_what_is_kept_and_not_what_is_garbage()
    {
        ProcessMemory before = ProcessMemory.Read();
        ProcessMemory with = ReadWhileKept();
        ProcessMemory without = ProcessMemory.Read();

        // Other tests allocate at the same time, so half of it is a margin for them.
        Assert.InRange(with.ManagedBytes - before.ManagedBytes, Kept / 2, long.MaxValue);
        Assert.InRange(with.ResidentBytes - before.ResidentBytes, Kept / 2, long.MaxValue);
        Assert.InRange(with.ManagedBytes - without.ManagedBytes, Kept / 2, long.MaxValue);
        Assert.InRange(with.ResidentBytes - without.ResidentBytes, Kept / 2, long.MaxValue);
    }

    // In a separate method, so that nothing references the memory when it has returned.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ProcessMemory ReadWhileKept()
    {
        byte[] kept = GC.AllocateUninitializedArray<byte>(Kept);
        kept.AsSpan().Fill(1);
        ProcessMemory read = ProcessMemory.Read();
        GC.KeepAlive(kept);
        return read;
    }
}

public sealed class PinnedProcessTests
{
    [Fact]
    public async Task A_process_has_the_cores_that_it_was_given_and_ours_keeps_its_own()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The cores are read from Linux's /proc.");
        IReadOnlyList<int> ours = CoreAffinity.OfProcess();
        foreach (int core in (int[])[ours[0], ours[^1]])
        {
            Assert.Equal($"Cpus_allowed_list:\t{core}", await StatusAsync([core]));
        }

        Assert.Equal($"Cpus_allowed_list:\t{CoreList.Text(ours).Replace('+', ',')}", await StatusAsync(null));
        Assert.Equal(ours, CoreAffinity.OfProcess());
    }

    [Fact]
    public void Start_throws_when_the_program_cannot_be_started() => Assert.Throws<Win32Exception>(
        () => PinnedProcess.Start(
            new ProcessStartInfo("/nowhere/at all"), CoreAffinity.IsSupported ? [CoreAffinity.OfProcess()[0]] : null));

    private static async Task<string> StatusAsync(IReadOnlyList<int>? cores)
    {
        var start = new ProcessStartInfo("grep", ["Cpus_allowed_list", "/proc/self/status"]) { RedirectStandardOutput = true };
        using Process process = PinnedProcess.Start(start, cores);
        string status = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return status.Trim();
    }
}

/// <summary>The limits of control groups, read from folders that look like those of the kernel.</summary>
public sealed class ControlGroupTests : InTemporaryFolder
{
    private const string Own = "pod/container";

    [Fact]
    public void Version_2_has_the_least_of_the_limits_of_the_group_and_of_those_around_it()
    {
        UseVersion2();
        Write($"sys/fs/cgroup/{Own}/cpu.max", "150000 100000");
        Write("sys/fs/cgroup/pod/cpu.max", "50000 100000");
        Write($"sys/fs/cgroup/{Own}/memory.max", "max");
        Write("sys/fs/cgroup/pod/memory.max", "1000000");
        var group = new ControlGroup(Folder.FullName);
        Assert.Equal((0.5, 1_000_000L), (group.CpuQuota, group.MemoryLimit));
    }

    [Fact]
    public void Version_2_counts_the_periods_in_which_it_was_throttled()
    {
        UseVersion2();
        Write($"sys/fs/cgroup/{Own}/cpu.max", "50000 100000");
        Write($"sys/fs/cgroup/{Own}/cpu.stat", "usage_usec 9\nnr_periods 85\nnr_throttled 71\nthrottled_usec 5\n");
        var group = new ControlGroup(Folder.FullName);
        Assert.Equal((85L, 71L), group.ReadPeriods());
        Write($"sys/fs/cgroup/{Own}/cpu.stat", "usage_usec 9\nnr_periods 100\nnr_throttled 72\nthrottled_usec 5\n");
        Assert.Equal((100L, 72L), group.ReadPeriods());
    }

    [Fact]
    public void Version_1_has_each_controller_in_a_folder_of_its_own()
    {
        Write("proc/self/cgroup", $"9:name=systemd:/\n4:memory:/{Own}\n2:cpu,cpuacct:/{Own}\n0::/\n");
        Write(
            "proc/self/mountinfo",
            "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n" +
            "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n" +
            "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
        Write($"sys/fs/cgroup/cpu/{Own}/cpu.cfs_quota_us", "250000");
        Write($"sys/fs/cgroup/cpu/{Own}/cpu.cfs_period_us", "100000");
        Write($"sys/fs/cgroup/cpu/{Own}/cpu.stat", "nr_periods 85\nnr_throttled 71\nthrottled_time 5\n");
        Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
        Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        Write($"sys/fs/cgroup/memory/{Own}/memory.limit_in_bytes", "2000000");
        Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
        var group = new ControlGroup(Folder.FullName);
        Assert.Equal((2.5, 2_000_000L), (group.CpuQuota, group.MemoryLimit));
        Assert.Equal((85L, 71L), group.ReadPeriods());
    }

    // Docker mounts the group of the container at the place of the root, and the paths are those of the host.
    [Fact]
    public void A_mount_of_the_container_s_own_group_is_found_by_what_is_left_of_the_path()
    {
        Write("proc/self/cgroup", "2:cpu:/docker/4f2/inner\n");
        Write("proc/self/mountinfo", "32 31 0:29 /docker/4f2 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
        Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000");
        Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        Assert.Equal(0.5, new ControlGroup(Folder.FullName).CpuQuota);
    }

    [Theory]
    [InlineData("0::/pod/container\n", "max 100000")]
    [InlineData("0::/../elsewhere\n", "max 100000")]
    [InlineData("", "50000 100000")]
    [InlineData("0::/pod/container\n", "nonsense")]
    public void Without_a_limit_there_is_none(string own, string quota)
    {
        UseVersion2();
        Write("proc/self/cgroup", own);
        Write($"sys/fs/cgroup/{Own}/cpu.max", quota);
        var group = new ControlGroup(Folder.FullName);
        Assert.Equal((null, null, null), (group.CpuQuota, group.MemoryLimit, group.ReadPeriods()));
    }

    private void UseVersion2()
    {
        Write("proc/self/cgroup", $"0::/{Own}\n");
        Write("proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n");
    }
}
