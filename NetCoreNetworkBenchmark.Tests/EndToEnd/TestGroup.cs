namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>A control group of the kernel (cgroups(7)) that a test makes for the processes that it starts, and removes.</summary>
internal sealed class TestGroup : IDisposable
{
    private static readonly string[] s_cpuRoots = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"];
    private static readonly TimeSpan s_lastProcess = TimeSpan.FromSeconds(10);
    private readonly string _folder;

    private TestGroup(string folder) => _folder = folder;

    /// <summary>The command that puts a shell into the group, and executes its arguments there.</summary>
    public string[] Launcher => ["sh", "-c", $"echo $$ >'{_folder}/cgroup.procs' && exec \"$@\"", "sh"];

    /// <summary>Makes a group with a quota of CPU time, or skips the test if this system does not allow it.</summary>
    public static TestGroup WithCpuQuota(double cores)
    {
        string[] roots = [.. s_cpuRoots.Where(root => File.Exists(Path.Combine(root, "cgroup.procs")))];
        Assert.SkipUnless(roots.Length > 0 && Environment.IsPrivilegedProcess, "A control group is made by root on Linux.");
        string folder = Path.Combine(roots[0], string.Create(CultureInfo.InvariantCulture, $"ncnb-{Environment.ProcessId}-{Guid.NewGuid():N}"));
        try
        {
            Directory.CreateDirectory(folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Assert.Skip($"No control group can be made here: {exception.Message}");
        }

        var group = new TestGroup(folder);
        const int Period = 100_000;
        var quota = (int)(cores * Period);
        (string file, string text) = File.Exists(Path.Combine(folder, "cpu.max")) ? ("cpu.max", $"{quota} {Period}") : ("cpu.cfs_quota_us", $"{quota}");
        if (!File.Exists(Path.Combine(folder, file)))
        {
            group.Dispose();
            Assert.Skip("The CPU controller is not enabled for a group that is made here.");
        }

        File.WriteAllText(Path.Combine(folder, file), text);
        return group;
    }

    public void Dispose()
    {
        // A process that has just ended belongs to its group until it is reaped.
        string members = Path.Combine(_folder, "cgroup.procs");
        Assert.True(SpinWait.SpinUntil(() => File.ReadAllText(members).Length == 0, s_lastProcess), $"Processes are left in {_folder}.");
        Directory.Delete(_folder);
    }
}
