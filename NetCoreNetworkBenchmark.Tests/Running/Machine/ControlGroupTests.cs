namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

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
        QuotaPeriods before = group.ReadPeriods()!;
        Assert.Equal(new QuotaPeriods(85, 71), before);
        Write($"sys/fs/cgroup/{Own}/cpu.stat", "usage_usec 9\nnr_periods 100\nnr_throttled 72\nthrottled_usec 5\n");
        Assert.Equal(new QuotaPeriods(15, 1), group.ReadPeriods()!.Add(before, -1));
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
        Assert.Equal(new QuotaPeriods(85, 71), group.ReadPeriods());
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
