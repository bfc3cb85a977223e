using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Running.Machine;

/// <summary>The packets of the path to a server, by what this machine knows of it: the MTU of the interface, and what routers reported (ICMP).</summary>
internal static class PathPackets
{
    // linux/in.h and linux/in6.h; ip(7), ipv6(7).
    private const int IPPROTO_IP = 0;
    private const int IP_MTU = 14;
    private const int IPPROTO_IPV6 = 41;
    private const int IPV6_MTU = 24;

    private const int UdpHeader = 8;
    private const int IPv4Header = 20;
    private const int IPv6Header = 40;

    /// <summary>Returns a remark on datagrams that are more than one packet; null if they are not, or if the size of packets is not known.</summary>
    public static string? RemarkOn(RunPlan plan, LibraryInfo library, IPEndPoint server)
    {
        if (plan.Protocol.IsStream() || LargestTo(server) is not { } largest)
        {
            return null;
        }

        int headers = UdpHeader + (server.AddressFamily == AddressFamily.InterNetworkV6 ? IPv6Header : IPv4Header);
        int overhead = library.Find(plan.Protocol, plan.Transmission)?.OverheadBytes ?? 0;
        return plan.MessageSize + overhead + headers <= largest
            ? null
            : FormattableString.Invariant($"A message of {plan.MessageSize:N0} bytes exceeds one packet of the path ") +
                FormattableString.Invariant($"({largest:N0} bytes with its headers): ") +
                "it is split, and one lost packet loses or delays the whole message.";
    }

    private static int? LargestTo(IPEndPoint server)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        try
        {
            // Only a connected socket has a path. Nothing is sent.
            using var socket = new Socket(server.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.Connect(server);
            Span<byte> value = stackalloc byte[sizeof(int)];
            _ = server.AddressFamily == AddressFamily.InterNetworkV6
                ? socket.GetRawSocketOption(IPPROTO_IPV6, IPV6_MTU, value)
                : socket.GetRawSocketOption(IPPROTO_IP, IP_MTU, value);
            return MemoryMarshal.Read<int>(value);
        }
        catch (SocketException)
        {
            // There is no path any more.
            return null;
        }
    }
}
