namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>A control group with a limit of threads and processes.</summary>
internal sealed class ThreadGroup : IDisposable
{
    // Version 1 has a hierarchy for each controller.
    private static readonly string[] s_roots = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];

    private static readonly TimeSpan s_lastProcess = TimeSpan.FromSeconds(10);

    private ThreadGroup(string folder) => Folder = folder;

    public string Folder { get; }

    /// <summary>The command that executes the command line behind it in the group.</summary>
    public string[] Launcher => ["sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"", Folder];

    /// <summary>Makes a group, and skips the test with the reason where that is not possible.</summary>
    /// <param name="most">The most threads.</param>
    public static ThreadGroup Create(int most)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has control groups.");
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only root can make a control group.");
        var group = new ThreadGroup(Path.Combine(s_roots.FirstOrDefault(Directory.Exists, string.Empty), $"nnb-{Guid.NewGuid():N}"));
        string reason;
        try
        {
            Directory.CreateDirectory(group.Folder);
            File.WriteAllText(Path.Combine(group.Folder, "pids.max"), $"{most}");
            return group;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            reason = exception.Message;
        }

        group.Dispose();
        Assert.Skip($"A control group with a limit of threads is not possible here: {reason}");
        return group;
    }

    public void Dispose()
    {
        if (Directory.Exists(Folder))
        {
            // A process that has just ended belongs to its group until it is reaped.
            string members = Path.Combine(Folder, "cgroup.procs");
            Assert.True(SpinWait.SpinUntil(() => File.ReadAllText(members).Length == 0, s_lastProcess), $"Processes are left in {Folder}.");
            Directory.Delete(Folder);
        }
    }
}
