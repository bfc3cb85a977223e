namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>The server of a plan with several server threads: one server for each thread, all on one port.</summary>
public sealed class ServerGroup(IReadOnlyList<IBenchmarkServer> servers) : IBenchmarkServer
{
    /// <inheritdoc/>
    public IPEndPoint EndPoint => servers[0].EndPoint;

    /// <summary>Binds a server for each of the plan's server threads: the first to the requested address, the others to the address of the first.</summary>
    public static IBenchmarkServer Start(ServerSetup setup, Func<ServerSetup, IBenchmarkServer> bind)
    {
        if (setup.Plan.ServerThreads == 1)
        {
            return bind(setup);
        }

        SharedPort.RequireFree(setup.EndPoint, setup.Plan.Protocol);
        var bound = new List<IBenchmarkServer>(setup.Plan.ServerThreads);
        try
        {
            ServerSetup next = setup with { SharesPort = true };
            while (bound.Count < setup.Plan.ServerThreads)
            {
                bound.Add(bind(next));

                // The multicast group is one peer, so only one of the bound has it.
                next = next with { EndPoint = bound[0].EndPoint, Group = null };
            }

            return new ServerGroup(bound);
        }
        catch
        {
            // No client has connected yet, so it is not necessary to wait for the threads to end.
            bound.ForEach(server => _ = server.DisposeAsync().AsTask());
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() =>
        await Task.WhenAll(servers.Select(server => server.DisposeAsync().AsTask())).ConfigureAwait(false);
}
