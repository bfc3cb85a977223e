using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>Opens and binds the datagram socket of a server, for adapters whose library leaves the socket to them.</summary>
public static class DatagramBinding
{
    /// <summary>Opens a socket, prepares it and binds it where the setup says, sharing its port where the setup says so.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <param name="prepare">Sets what must be set before the bind, such as buffers.</param>
    /// <returns>The bound socket.</returns>
    /// <exception cref="BenchmarkException">The address cannot be bound; the socket has been closed.</exception>
    public static Socket Bind(ServerSetup setup, Action<Socket> prepare)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ArgumentNullException.ThrowIfNull(prepare);
        var socket = new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
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
            socket.Dispose();
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }
}
