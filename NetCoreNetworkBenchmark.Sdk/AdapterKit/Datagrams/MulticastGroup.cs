using NetCoreNetworkBenchmark.AdapterKit.Sockets;

namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>
/// IPv4 multicast groups (RFC 1112). The server is bound to the address of the plan's interface and sends to the group from there. Each client registers there
/// and has a second socket for messages to the group. Multicast messages pass no router.
/// </summary>
public static class MulticastGroup
{
    private const int OneNetworkOnly = 1;

    /// <summary>Prepares a server's socket to send to groups: through the plan's interface only, also to this machine, and not beyond one network.</summary>
    public static void PrepareSender(Socket socket, RunPlan plan)
    {
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, IPAddress.Parse(plan.MulticastInterface).GetAddressBytes());
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastLoopback, optionValue: true);
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive, OneNetworkOnly);
    }

    /// <summary>
    /// Opens a client's socket for a group and joins it on the plan's interface. The socket is bound to the group's address, so that it receives no other
    /// datagrams for the port. Several clients share address and port.
    /// </summary>
    public static Socket Join(ClientSetup setup, Action<Socket> prepare)
    {
        try
        {
            return new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp).SetUp(socket =>
            {
                prepare(socket);
                socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, optionValue: true);
                socket.Bind(new IPEndPoint(setup.Group!, setup.EndPoint.Port));
                socket.SetSocketOption(
                    SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(setup.Group!, IPAddress.Parse(setup.Plan.MulticastInterface)));
            });
        }
        catch (SocketException exception)
        {
            throw new BenchmarkException(
                $"A client could not join the group {setup.Group} on the interface {setup.Plan.MulticastInterface}: {exception.Message}.", exception);
        }
    }
}
