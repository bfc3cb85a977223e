namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

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
