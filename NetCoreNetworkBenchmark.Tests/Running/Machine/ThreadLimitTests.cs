namespace NetCoreNetworkBenchmark.Tests.Running.Machine;

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
        Assert.Equal([(80, 75, 3, 5), (300, 200, 0, 100)], limits.Select(limit => (limit.Most, limit.Used, limit.Refusals, limit.Left)));
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
