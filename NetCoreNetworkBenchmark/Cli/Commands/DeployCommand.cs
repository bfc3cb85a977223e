using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Options;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Running.Hosts;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Copies the program to the hosts of a run (<c>--deploy</c>), and removes it (<c>--undeploy</c>).</summary>
internal static class DeployCommand
{
    /// <summary>Copies the program to all hosts at the same time.</summary>
    /// <returns>The hosts, with the path of the program on each.</returns>
    /// <exception cref="BenchmarkException">The program could not be published, or not copied to a host.</exception>
    public static async Task<HostsPlan> DeployAsync(HostsPlan hosts, CommandContext context, CancellationToken cancellationToken)
    {
        RequireHosts(hosts);
        await context.SayAsync($"Copying the program to {string.Join(", ", hosts.All)}, unless it is there.").ConfigureAwait(false);
        var deployment = new Deployment(HostLauncher.Of(hosts).Shell);
        KeyValuePair<string, string>[] programs = await Task.WhenAll(hosts.All.Select(
            async host => KeyValuePair.Create(host, await deployment.DeployAsync(host, cancellationToken).ConfigureAwait(false)))).ConfigureAwait(false);
        return hosts with { Programs = programs.ToDictionary() };
    }

    /// <summary>Finds out whether all hosts can be reached and have the program. The first host that does not ends the wait for the others.</summary>
    /// <exception cref="BenchmarkException">A host cannot be used.</exception>
    public static async Task RequireProgramAsync(HostsPlan hosts, CancellationToken cancellationToken)
    {
        var deployment = new Deployment(HostLauncher.Of(hosts).Shell);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task[] asked = [.. hosts.All.Select(host => deployment.RequireAsync(host, HostLauncher.OwnProgram(), over.Token))];
        try
        {
            await foreach (Task answer in Task.WhenEach(asked).ConfigureAwait(false))
            {
                await answer.ConfigureAwait(false);
            }
        }
        finally
        {
            await over.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(asked).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Removes the program from all hosts.</summary>
    /// <exception cref="BenchmarkException">A host cannot be reached.</exception>
    public static async Task<int> UndeployAsync(HostsPlan hosts, CommandContext context, CancellationToken cancellationToken)
    {
        RequireHosts(hosts);
        var deployment = new Deployment(HostLauncher.Of(hosts).Shell);
        await Task.WhenAll(hosts.All.Select(host => deployment.UndeployAsync(host, cancellationToken))).ConfigureAwait(false);
        await context.SayAsync($"Removing the program from {string.Join(", ", hosts.All)}.").ConfigureAwait(false);
        return ExitCode.Success;
    }

    private static void RequireHosts(HostsPlan hosts)
    {
        if (hosts.IsNone)
        {
            throw BenchmarkException.BadInput(
                $"--deploy and --undeploy require hosts, such as {HostOptions.ServerHostName} node1 {HostOptions.ClientHostsName} node2,node3.");
        }
    }
}
