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

/// <summary>
/// One port for several sockets of this process (SO_REUSEPORT, socket(7)). Linux assigns each client to one of them by a hash of both addresses and ports, so
/// that each socket can have its own thread. Other systems do not distribute clients in this way.
/// </summary>
public static class SharedPort
{
    /// <summary>The level of the option in <c>sys/socket.h</c>.</summary>
    public const int SOL_SOCKET = 1;

    /// <summary>The option in <c>sys/socket.h</c>.</summary>
    public const int SO_REUSEPORT = 15;

    /// <summary>Whether this system distributes clients over sockets that share a port.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux();

    /// <summary>Allows a socket to share its port. Must be called before the socket is bound.</summary>
    public static void Enable(Socket socket) => socket.SetRawSocketOption(SOL_SOCKET, SO_REUSEPORT, BitConverter.GetBytes(1));

    /// <summary>
    /// Rejects a port that is in use; 0 is free. Without this check, another program of the same user that also shares the port would get some of the clients
    /// without notice.
    /// </summary>
    public static void RequireFree(IPEndPoint endPoint, Protocol protocol)
    {
        if (endPoint.Port != 0 && BindFailure.Find(endPoint, protocol) is { } failure)
        {
            throw failure;
        }
    }
}
