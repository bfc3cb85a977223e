using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>A server's socket that a <see cref="PollLoop"/> serves.</summary>
public interface IPolledServerSocket : IPollable
{
    /// <summary>The address to which the socket is bound.</summary>
    IPEndPoint EndPoint { get; }
}

/// <summary>The server of a polled library: one socket on its own thread, or several of them.</summary>
public sealed class PolledServer(PollLoop loop, IPEndPoint endPoint, TimeSpan stopDeadline) : IBenchmarkServer
{
    /// <inheritdoc/>
    public IPEndPoint EndPoint => endPoint;

    /// <summary>
    /// Binds the sockets of a server, one for each thread that the plan requests, and starts the threads, which own them. Each call has the address to bind
    /// to, and whether the port is shared. Only the first may have port 0.
    /// </summary>
    public static IBenchmarkServer Start(string library, ServerSetup setup, Func<PollLoop, ServerSetup, IPolledServerSocket> bind) =>
        ServerGroup.Start(setup, each => StartOne(library, each, bind));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await loop.StopAsync(stopDeadline).ConfigureAwait(false);

    private static PolledServer StartOne(string library, ServerSetup setup, Func<PollLoop, ServerSetup, IPolledServerSocket> bind)
    {
        var loop = new PollLoop($"{library} server", setup.Recorder, servesClients: false, setup.Plan.ServerUpdateRate);
        try
        {
            IPolledServerSocket socket = bind(loop, setup);
            loop.Post(() => loop.Add(socket));
            return new PolledServer(loop, socket.EndPoint, setup.Plan.StopDeadline);
        }
        catch
        {
            // Nothing was bound, so it is not necessary to wait for the empty loop to end.
            _ = loop.StopAsync(setup.Plan.StopDeadline);
            throw;
        }
    }
}
