namespace NetCoreNetworkBenchmark.Plans;

/// <summary>Properties of the transports and their addresses.</summary>
public static class ProtocolRules
{
    private const int LowestGroupByte = 224;
    private const int HighestGroupByte = 239;

    /// <summary>Determines whether a transport carries a stream, which keeps the order, loses nothing and has no boundaries between messages.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>True for a stream; false for datagrams.</returns>
    public static bool IsStream(this Protocol protocol) => protocol != Protocol.Udp;

    /// <summary>Determines whether a transport is TCP or lies on it. A packet of it that is lost or late holds up the bytes behind it in the kernel.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>True for TCP and TLS on it; false for a transport whose packets are datagrams.</returns>
    public static bool IsOverTcp(this Protocol protocol) => protocol is Protocol.Tcp or Protocol.Ssl;

    /// <summary>Determines whether a transport is encrypted by TLS, so that its sides need certificates.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>True if it is; otherwise, false.</returns>
    public static bool HasTls(this Protocol protocol) => protocol is Protocol.Ssl or Protocol.Quic;

    /// <summary>Determines whether an address is that of an IPv4 multicast group (RFC 1112): 224.0.0.0 to 239.255.255.255.</summary>
    /// <param name="address">The address.</param>
    /// <returns>True for a group; false for all other addresses, and for IPv6.</returns>
    public static bool IsMulticastGroup(this IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetwork && address.GetAddressBytes()[0] is >= LowestGroupByte and <= HighestGroupByte;
}
