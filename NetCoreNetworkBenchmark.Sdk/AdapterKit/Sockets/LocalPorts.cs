namespace NetCoreNetworkBenchmark.AdapterKit.Sockets;

/// <summary>
/// The ports that the system gives to sockets of clients (ip(7), <c>ip_local_port_range</c>). Each client of one address needs one of its own. Systems other
/// than Linux are taken to have all ports.
/// </summary>
public static class LocalPorts
{
    /// <summary>The remedy for too few ports, for the end of a sentence.</summary>
    public const string Remedy = "get more with \"sysctl -w net.ipv4.ip_local_port_range='1024 65535'\"";

    /// <summary>The number of ports that a system can give to clients of one address: those from 1024.</summary>
    public const int Max = ushort.MaxValue + 1 - 1024;

    private const string Folder = "/proc/sys/net/ipv4";

    /// <summary>The number of ports of one address.</summary>
    public static int Count => CountOf(Read("ip_local_port_range"), Read("ip_local_reserved_ports"));

    /// <summary>Counts the ports of a range such as <c>32768 60999</c>, without reserved ones such as <c>40000,50000-50009</c>.</summary>
    public static int CountOf(string range, string reserved)
    {
        if (PortsOf(range, null) is not [var (first, last)] || first > last)
        {
            return ushort.MaxValue + 1;
        }

        int reservedCount = reserved.Split(',').SelectMany(part => PortsOf(part, '-'))
            .Sum(part => Math.Max(0, Math.Min(last, part.Last) - Math.Max(first, part.First) + 1));
        return last - first + 1 - reservedCount;
    }

    /// <summary>Explains a connect without a port, which fails with EADDRNOTAVAIL for TCP and with EAGAIN for UDP; null for other errors.</summary>
    public static string? Explain(IPEndPoint server, SocketError error) => error is SocketError.AddressNotAvailable or SocketError.WouldBlock
        ? FormattableString.Invariant($"no local port is left for a connection to {server}; this system has {Count:N0} for clients of one address, {Remedy}")
        : null;

    private static (int First, int Last)[] PortsOf(string text, char? separator)
    {
        int[] ports =
        [
            .. text.Split(separator is { } one ? [one] : null, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
                .Select(port => ushort.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number) ? number : -1),
        ];
        return ports.Length is 1 or 2 && ports.All(port => port >= 0) ? [(ports[0], ports[^1])] : [];
    }

    private static string Read(string name) => SystemFiles.ReadLine(Path.Combine(Folder, name)) ?? string.Empty;
}
