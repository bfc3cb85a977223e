using System.Net.NetworkInformation;

namespace NetCoreNetworkBenchmark.Running.Machine.Facts;

internal static class HostNames
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);

    public static async Task<IPEndPoint> ResolveAsync(RunPlan plan, LibraryInfo library, CancellationToken cancellationToken) =>
        (await ResolveAllAsync(plan, library, Dns.GetHostAddressesAsync, cancellationToken))[0];

    public static bool IsIPv6(string address) => IPAddress.TryParse(address, out IPAddress? parsed) && parsed.AddressFamily == AddressFamily.InterNetworkV6;

    /// <summary>Keeps the order of the system (getaddrinfo, RFC 6724). The server of a multicast group is at the interface that sends to it.</summary>
    public static async Task<IReadOnlyList<IPEndPoint>> ResolveAllAsync(
        RunPlan plan, LibraryInfo library, Func<string, CancellationToken, Task<IPAddress[]>> resolve, CancellationToken cancellationToken)
    {
        if (plan.MulticastGroup is not null)
        {
            return [new IPEndPoint(IPAddress.Parse(plan.MulticastInterface), plan.Port)];
        }

        IPAddress[] addresses = IPAddress.TryParse(plan.Address, out IPAddress? address)
            ? [address]
            : await AddressesOfAsync(plan.Address, resolve, cancellationToken);
        RequireInterface(plan, address);
        IPAddress[] usable = [.. addresses.Where(candidate => AddressRules.IsSupported(library, candidate))];
        if (usable.Length == 0)
        {
            throw AddressRules.NotSupported(library, plan.Address);
        }

        return [.. usable.Select(candidate => new IPEndPoint(candidate, plan.Port))];
    }

    // On another host, the interfaces are others.
    private static void RequireInterface(RunPlan plan, IPAddress? address)
    {
        if (address is not { IsIPv6LinkLocal: true, ScopeId: 0 })
        {
            return;
        }

        int zone = plan.Address.IndexOf('%', StringComparison.Ordinal);
        if (zone < 0)
        {
            throw BenchmarkException.BadInput(
                $"--address: the link-local address {plan.Address} requires an interface. Append it, such as {plan.Address}%eth0.");
        }

        if (plan.Hosts.IsNone)
        {
            NetworkInterface[] networks = NetworkInterface.GetAllNetworkInterfaces();
            string[] names = [.. networks.Where(network => network.Supports(NetworkInterfaceComponent.IPv6)).Select(network => network.Name)];
            throw BenchmarkException.BadInput(
                $"--address: {plan.Address} names no interface of this machine. Use {OptionValues.Or(names)} after the percent sign.");
        }
    }

    private static async Task<IPAddress[]> AddressesOfAsync(
        string name, Func<string, CancellationToken, Task<IPAddress[]>> resolve, CancellationToken cancellationToken)
    {
        try
        {
            IPAddress[] addresses = await resolve(name, cancellationToken).WaitAsync(s_deadline, cancellationToken);
            return addresses.Length > 0 ? addresses : throw new SocketException((int)SocketError.HostNotFound);
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException or InvalidOperationException or ArgumentException)
        {
            throw BenchmarkException.BadInput(
                $"--address: \"{name}\" is not an IP address or a host name that can be resolved, such as 127.0.0.1, ::1 or localhost.", exception);
        }
    }
}

/// <summary>A peer at an address of this machine reads the same clock.</summary>
internal static class ThisMachine
{
    public static bool HasAddress(IPAddress address) => IPAddress.IsLoopback(address)
        || address.Equals(IPAddress.Any)
        || address.Equals(IPAddress.IPv6Any)
        || Addresses().Contains(address);

    public static IEnumerable<IPAddress> Addresses() =>
        NetworkInterface.GetAllNetworkInterfaces().SelectMany(network => network.GetIPProperties().UnicastAddresses).Select(unicast => unicast.Address);
}

/// <summary>This machine knows the MTU of the interface, and what routers reported (ICMP).</summary>
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

    /// <returns>Null if datagrams are not more than one packet, or if the size of packets is not known.</returns>
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
            : Invariant($"A message of {plan.MessageSize:N0} bytes exceeds one packet of the path ") +
                Invariant($"({largest:N0} bytes with its headers): ") +
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
