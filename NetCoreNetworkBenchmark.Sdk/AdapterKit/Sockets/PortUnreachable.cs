namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>The reports of the network that a port is closed (ICMP port unreachable).</summary>
public static class PortUnreachable
{
    // mstcpip.h.
    private const int SIO_UDP_CONNRESET = -1744830452;

    /// <summary>
    /// Makes a datagram socket ignore them. On Windows a datagram to a closed port otherwise makes the next receive call fail, even if another peer has sent
    /// the datagram that is received. Other systems report them on connected sockets only, which this method does not change.
    /// </summary>
    public static void Ignore(Socket socket)
    {
        if (OperatingSystem.IsWindows())
        {
            socket.IOControl(SIO_UDP_CONNRESET, [0], null);
        }
    }
}
