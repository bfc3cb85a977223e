namespace NetCoreNetworkBenchmark.Running.Hosts;

/// <summary>Completes the hosts of a plan that Slurm knows: those of the allocation around this process.</summary>
internal static class HostChoice
{
    /// <summary>Names every host: the server is on the first host of an allocation if none is chosen, and all stands for the rest of the hosts.</summary>
    public static async Task<HostsPlan> CompleteAsync(HostsPlan hosts, CancellationToken cancellationToken)
    {
        bool asksForAll = hosts.ClientHosts.Any(host => host.Name == HostsPlan.AllHosts);
        if (hosts.Launcher == Launcher.Ssh)
        {
            return asksForAll
                ? throw BenchmarkException.BadInput(
                    "--client-hosts: all requires --launcher slurm. Use names of hosts.")
                : hosts;
        }

        IReadOnlyList<string> allocated = await SlurmLauncher.AllocatedHostsAsync(cancellationToken).ConfigureAwait(false);
        string server = hosts.ServerHost ?? allocated[0];
        string[] others = [.. allocated.Except([server])];
        HostsPlan complete = hosts with
        {
            ServerHost = server,
            ClientHosts = asksForAll || hosts.ClientHosts.Count == 0 ? [.. others.Select(name => new ClientHost(name))] : hosts.ClientHosts,
        };
        return complete.All.Except(allocated).FirstOrDefault() is { } unknown
            ? throw BenchmarkException.BadInput($"{unknown} is not a host of this Slurm allocation. Use {OptionValues.Or(allocated)}.")
            : complete.ClientHosts.Count == 0
                ? throw BenchmarkException.BadInput(
                    $"This Slurm allocation has one host, {server}, and none is left for the clients. Allocate more, such as with salloc -N2.")
                : complete;
    }
}
