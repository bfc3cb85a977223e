namespace NetCoreNetworkBenchmark.Tests.Hosts;

/// <summary>A process of a host. Its id is the one that the tests see, since the hosts share the processes of this machine.</summary>
/// <param name="Id">The process' id.</param>
/// <param name="Arguments">The command line.</param>
internal sealed record HostProcess(int Id, string[] Arguments);
