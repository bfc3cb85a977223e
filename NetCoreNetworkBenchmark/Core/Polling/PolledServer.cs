using System.Net;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>A server's socket that a <see cref="PollLoop"/> serves.</summary>
public interface IPolledServerSocket : IPollable
{
    /// <summary>Where it is bound.</summary>
    IPEndPoint EndPoint { get; }
}

/// <summary>The server of a polled library: one socket on a thread of its own, or several.</summary>
public sealed class PolledServer : IBenchmarkServer
{
    private readonly PollLoop _loop;
    private readonly TimeSpan _stopDeadline;

    private PolledServer(PollLoop loop, IPEndPoint endPoint, TimeSpan stopDeadline)
    {
        _loop = loop;
        EndPoint = endPoint;
        _stopDeadline = stopDeadline;
    }

    /// <inheritdoc/>
    public IPEndPoint EndPoint { get; }

    /// <summary>Binds the sockets of a server that has as many threads as the plan asks for, and starts the threads.</summary>
    /// <param name="library">The library's name, for the names of the threads.</param>
    /// <param name="setup">What the adapter was given.</param>
    /// <param name="bind">
    /// Makes one bound socket; called once for each thread, whose loop owns the socket from then on and disposes it. The setup that it is
    /// given says where to bind and whether the port is shared; only the first may have port 0.
    /// </param>
    /// <returns>The running server.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static IBenchmarkServer Start(string library, ServerSetup setup, Func<PollLoop, ServerSetup, IPolledServerSocket> bind)
    {
        ArgumentNullException.ThrowIfNull(bind);
        return ServerGroup.Start(setup, each => Start(library, each, loop => bind(loop, each)));
    }

    /// <summary>Binds a server of one thread, whatever the plan asks for, and starts the thread.</summary>
    /// <param name="library">The library's name, for the name of the thread.</param>
    /// <param name="setup">What the adapter was given.</param>
    /// <param name="bind">Makes the bound socket; the loop's thread owns it from then on and disposes it.</param>
    /// <returns>The running server.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound.</exception>
    public static IBenchmarkServer Start(string library, ServerSetup setup, Func<PollLoop, IPolledServerSocket> bind)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ArgumentNullException.ThrowIfNull(bind);
        var loop = new PollLoop($"{library} server", setup.Recorder, servesClients: false);
        try
        {
            IPolledServerSocket socket = bind(loop);
            loop.Post(() => loop.Add(socket));
            return new PolledServer(loop, socket.EndPoint, setup.Plan.StopDeadline);
        }
        catch
        {
            // Nothing was bound, so nobody needs to wait for the empty loop to end.
            _ = loop.StopAsync(setup.Plan.StopDeadline);
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await _loop.StopAsync(_stopDeadline).ConfigureAwait(false);
}
