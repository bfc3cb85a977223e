using System.Net;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>The server of a plan with several server threads: one server for each thread, all on one port.</summary>
public sealed class ServerGroup : IBenchmarkServer
{
    private readonly IReadOnlyList<IBenchmarkServer> _servers;

    private ServerGroup(IReadOnlyList<IBenchmarkServer> servers) => _servers = servers;

    /// <inheritdoc/>
    public IPEndPoint EndPoint => _servers[0].EndPoint;

    /// <summary>Binds a server for each of the plan's server threads: the first where it is asked for, the others where the first is.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <param name="bind">Binds one server as its setup says, with <see cref="ServerSetup.SharesPort"/>.</param>
    /// <returns>The running server, which is a group only where there are several threads.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static IBenchmarkServer Start(ServerSetup setup, Func<ServerSetup, IBenchmarkServer> bind)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ArgumentNullException.ThrowIfNull(bind);
        if (setup.Plan.ServerThreads == 1)
        {
            return bind(setup);
        }

        SharedPort.RequireFree(setup.EndPoint, setup.Plan.Protocol);
        var servers = new List<IBenchmarkServer>(setup.Plan.ServerThreads);
        try
        {
            ServerSetup next = setup with { SharesPort = true };
            while (servers.Count < setup.Plan.ServerThreads)
            {
                servers.Add(bind(next));

                // The group is one peer, so one of the servers has it.
                next = next with { EndPoint = servers[0].EndPoint, Group = null };
            }

            return new ServerGroup(servers);
        }
        catch
        {
            // Nobody has connected yet, so nobody needs to wait for the threads to end.
            servers.ForEach(server => _ = server.DisposeAsync().AsTask());
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAll(_servers.Select(server => server.DisposeAsync().AsTask())).ConfigureAwait(false);
}
