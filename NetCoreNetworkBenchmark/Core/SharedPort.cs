using System.Net;
using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// One port for several sockets of this process (SO_REUSEPORT, socket(7)): Linux gives each client to one of them, by a hash of both
/// addresses and ports, so that each socket can have a thread of its own. Other systems do not spread clients in this way.
/// </summary>
public static class SharedPort
{
    /// <summary>The level of the option in <c>sys/socket.h</c>.</summary>
    internal const int SOL_SOCKET = 1;

    /// <summary>The option in <c>sys/socket.h</c>.</summary>
    internal const int SO_REUSEPORT = 15;

    /// <summary>Whether this system spreads clients over sockets that share a port.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux();

    /// <summary>Lets a socket share its port. Before it is bound.</summary>
    /// <param name="socket">The socket.</param>
    /// <exception cref="SocketException">The system refuses.</exception>
    public static void Enable(Socket socket)
    {
        ArgumentNullException.ThrowIfNull(socket);
        RawSocketOption.Set(socket, SOL_SOCKET, SO_REUSEPORT, 1);
    }

    /// <summary>
    /// Refuses a port that is in use. Without this, another program of the same user which shares the port too would get some of the
    /// clients, and nobody would notice.
    /// </summary>
    /// <param name="endPoint">Where the sockets are to be bound; nothing is done for port 0, which the system chooses.</param>
    /// <param name="protocol">The transport.</param>
    /// <exception cref="BenchmarkException">The port cannot be had.</exception>
    public static void RequireFree(IPEndPoint endPoint, Protocol protocol)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        if (endPoint.Port != 0 && BindFailure.Find(endPoint, protocol) is { } failure)
        {
            throw failure;
        }
    }
}
