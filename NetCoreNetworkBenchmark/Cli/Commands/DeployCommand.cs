using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Hosts;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Copies the program to the hosts of a run (<c>--deploy</c>), and removes it (<c>--undeploy</c>).</summary>
internal static class DeployCommand
{
    public static async Task<HostsPlan> DeployAsync(HostsPlan hosts, CommandContext context, CancellationToken cancellationToken)
    {
        PlanCheck.RequireHosts(hosts, "--deploy");
        await context.NotifyAsync($"Copying the program to {string.Join(", ", hosts.All)}, unless it is there.").ConfigureAwait(false);
        var deployment = new Deployment(HostLauncher.Of(hosts).Shell);
        KeyValuePair<string, string>[] programs = await Task.WhenAll(hosts.All.Select(
            async host => KeyValuePair.Create(host, await deployment.DeployAsync(host, cancellationToken).ConfigureAwait(false)))).ConfigureAwait(false);
        return hosts with { Programs = programs.ToDictionary() };
    }

    /// <summary>Finds out whether all hosts can be reached and have the program. The first host that does not ends the wait for the others.</summary>
    public static async Task RequireProgramAsync(HostsPlan hosts, CancellationToken cancellationToken)
    {
        var deployment = new Deployment(HostLauncher.Of(hosts).Shell);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Task[] requests = [.. hosts.All.Select(host => deployment.RequireAsync(host, HostLauncher.OwnProgram(), over.Token))];
        try
        {
            await foreach (Task answer in Task.WhenEach(requests).ConfigureAwait(false))
            {
                await answer.ConfigureAwait(false);
            }
        }
        finally
        {
            await over.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(requests).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    public static async Task<int> UndeployAsync(HostsPlan hosts, CommandContext context, CancellationToken cancellationToken)
    {
        PlanCheck.RequireHosts(hosts, RunOptions.Undeploy.Name);
        var deployment = new Deployment(HostLauncher.Of(hosts).Shell);
        await Task.WhenAll(hosts.All.Select(host => deployment.UndeployAsync(host, cancellationToken))).ConfigureAwait(false);
        await context.NotifyAsync($"Removing the program from {string.Join(", ", hosts.All)}.").ConfigureAwait(false);
        return ExitCode.Success;
    }
}
