namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>Opens and binds the socket of a server, for adapters of libraries that do not open it themselves.</summary>
public static class ServerSocket
{
    /// <summary>The length of the accept queue, where clients that connect at the same time wait. The system reduces it to net.core.somaxconn.</summary>
    public const int Backlog = 65_535;

    /// <summary>
    /// Opens and binds a socket of the plan's transport, with a shared port if the setup requires it, after the options that must be set before the bind.
    /// </summary>
    public static Socket Bind(ServerSetup setup, Action<Socket>? prepare = null)
    {
        try
        {
            return Open(setup.EndPoint, setup.Plan.Protocol).SetUp(socket =>
            {
                prepare?.Invoke(socket);
                if (setup.SharesPort)
                {
                    SharedPort.Enable(socket);
                }

                socket.Bind(setup.EndPoint);
            });
        }
        catch (SocketException exception)
        {
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    internal static Socket Open(IPEndPoint endPoint, Protocol protocol)
    {
        bool isStream = protocol.IsOverTcp();
        var socket = new Socket(
            endPoint.AddressFamily, isStream ? SocketType.Stream : SocketType.Dgram, isStream ? ProtocolType.Tcp : ProtocolType.Udp);
        if (OperatingSystem.IsWindows())
        {
            // Another program could otherwise bind the same port by SO_REUSEADDR and get a part of the messages.
            socket.ExclusiveAddressUse = true;
        }

        if (!isStream)
        {
            PortUnreachable.Ignore(socket);
        }

        return socket;
    }

    /// <summary>Finds a port that is free at this moment, if the setup leaves the choice to the system.</summary>
    public static IPEndPoint FreeEndPoint(ServerSetup setup)
    {
        using Socket socket = Bind(setup with { SharesPort = false });
        return (IPEndPoint)socket.LocalEndPoint!;
    }

    /// <summary>Binds a stream socket in the same way, and listens.</summary>
    public static Socket Listen(ServerSetup setup) => Bind(setup).SetUp(socket => socket.Listen(Backlog));

    /// <summary>Sets up a new socket. If that fails, the socket is closed: descriptors and ports may be what is short.</summary>
    public static Socket SetUp(this Socket socket, Action<Socket> setUp)
    {
        try
        {
            setUp(socket);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}

/// <summary>A method for <see cref="SocketAddress"/>.</summary>
public static class SocketAddressExtensions
{
    /// <summary>Copies an address. The one that a receive call writes to changes with every datagram, so it cannot be a key.</summary>
    public static SocketAddress Copy(this SocketAddress address)
    {
        var copy = new SocketAddress(address.Family, address.Size);
        address.Buffer.Span[..address.Size].CopyTo(copy.Buffer.Span);
        return copy;
    }
}
