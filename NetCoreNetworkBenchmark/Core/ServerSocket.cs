using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>Opens and binds the socket of a server, for adapters whose library leaves the socket to them.</summary>
public static class ServerSocket
{
    // As many as the system takes (net.core.somaxconn): clients that connect at once wait there and are not turned away.
    private const int Backlog = 65_535;

    /// <summary>Opens a datagram socket, prepares it and binds it where the setup says, sharing its port where the setup says so.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <param name="prepare">Sets what must be set before the bind, such as buffers.</param>
    /// <returns>The bound socket.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound; the socket has been closed.</exception>
    public static Socket Bind(ServerSetup setup, Action<Socket> prepare)
    {
        ArgumentNullException.ThrowIfNull(prepare);
        return Bind(setup, SocketType.Dgram, ProtocolType.Udp, prepare);
    }

    /// <summary>Opens a stream socket, binds it where the setup says, sharing its port where the setup says so, and listens.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <returns>The listening socket.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound; the socket has been closed.</exception>
    public static Socket Listen(ServerSetup setup)
    {
        Socket socket = Bind(setup, SocketType.Stream, ProtocolType.Tcp, _ => { });
        socket.Listen(Backlog);
        return socket;
    }

    private static Socket Bind(ServerSetup setup, SocketType type, ProtocolType protocol, Action<Socket> prepare)
    {
        ArgumentNullException.ThrowIfNull(setup);
        Socket? socket = null;
        try
        {
            socket = new Socket(setup.EndPoint.AddressFamily, type, protocol);
            prepare(socket);
            if (setup.SharesPort)
            {
                SharedPort.Enable(socket);
            }

            socket.Bind(setup.EndPoint);
            return socket;
        }
        catch (SocketException exception)
        {
            socket?.Dispose();
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }
}
