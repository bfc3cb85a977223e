using System.Net.Sockets;

namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>The IP header, which a line of limited bandwidth carries for every packet.</summary>
internal static class IPHeader
{
    private const int IPv4Bytes = 20;
    private const int IPv6Bytes = 40;

    /// <summary>The size of the header in bytes: 20 for IPv4 (RFC 791, without options) or 40 for IPv6 (RFC 8200, without extensions).</summary>
    public static int BytesOf(AddressFamily family) => family == AddressFamily.InterNetworkV6 ? IPv6Bytes : IPv4Bytes;
}
