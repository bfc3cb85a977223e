namespace NetCoreNetworkBenchmark.Tests.Running.Hosts;

public sealed class HostNamespaceTests
{
    // Containers that share /run/netns have other numbers for the same processes.
    [Fact]
    public void IsAbandoned_is_true_only_for_an_ended_process_of_this_namespace_of_processes()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has namespaces.");
        string own = HostNamespace.For("path-server").Name;
        string ended = Regex.Replace(own, "-[0-9]+-path", "-1-path");
        string elsewhere = Regex.Replace(ended, "^netbench-[0-9]+-", "netbench-1-");
        Assert.Matches("^netbench-[0-9]+-[0-9]+-[0-9]+-path-server$", own);
        Assert.Equal((false, true, false), (HostNamespace.IsAbandoned(own), HostNamespace.IsAbandoned(ended), HostNamespace.IsAbandoned(elsewhere)));
        Assert.False(HostNamespace.IsAbandoned("netbench-4711-1-path-server"));
    }
}
