namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The transport that carries the messages of a run.</summary>
public enum Protocol
{
    /// <summary>Datagrams (RFC 768), alone or under a library's own protocol.</summary>
    Udp,

    /// <summary>A stream of bytes (RFC 9293), with nothing on it but the framed messages.</summary>
    Tcp,

    /// <summary>The same stream under TLS (RFC 5246 and RFC 8446), under the name that the libraries use.</summary>
    Ssl,

    /// <summary>One stream of a connection of QUIC (RFC 9000), which is carried by datagrams and always encrypted by TLS 1.3 (RFC 9001).</summary>
    Quic,
}

/// <summary>Properties of the transports and their addresses.</summary>
public static class ProtocolRules
{
    private const int LowestGroupByte = 224;
    private const int HighestGroupByte = 239;

    /// <summary>Gets the name of a transport in a sentence.</summary>
    internal static string Name(this Protocol protocol) => protocol.OptionText().ToUpperInvariant();

    /// <summary>Gets the value of an option that requests a transport, which tables show too. JSON and CSV have the name of the value.</summary>
    internal static string OptionText(this Protocol protocol) => protocol == Protocol.Ssl ? "Tls" : protocol.ToString();

    /// <summary>Determines whether a transport carries a stream, which keeps the order, loses nothing and has no boundaries between messages.</summary>
    public static bool IsStream(this Protocol protocol) => protocol != Protocol.Udp;

    /// <summary>Determines whether a transport is TCP or lies on it. A packet of it that is lost or late holds up the bytes behind it in the kernel.</summary>
    public static bool IsOverTcp(this Protocol protocol) => protocol is Protocol.Tcp or Protocol.Ssl;

    /// <summary>Determines whether a transport is encrypted by TLS, so that its sides require certificates.</summary>
    public static bool HasTls(this Protocol protocol) => protocol is Protocol.Ssl or Protocol.Quic;

    /// <summary>Determines whether an address is that of an IPv4 multicast group (RFC 1112): 224.0.0.0 to 239.255.255.255.</summary>
    public static bool IsMulticastGroup(this IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetwork && address.GetAddressBytes()[0] is >= LowestGroupByte and <= HighestGroupByte;
}

/// <summary>How a stream is divided into messages; datagrams have boundaries of their own.</summary>
public enum Framing
{
    /// <summary>Every message has the plan's size, and nothing else is on the stream: any server that echoes bytes can take part.</summary>
    Fixed,

    /// <summary>Every message has its length before it, in 4 bytes, the most significant first; it may be shorter than the plan's size.</summary>
    Length,

    /// <summary>
    /// Each frame has length, type and check code before its content, which is a message or, by its type, a heartbeat. The sizes are as with
    /// <see cref="Length"/>.
    /// </summary>
    Checked,

    /// <summary>
    /// HTTP/1.1 (RFC 9112) with one request on each connection: a request ends with an empty line and has no content, and the server ends the connection
    /// after the answer. Only a test whose clients open one connection after the other has it.
    /// </summary>
    Http,
}

/// <summary>The guarantee of a library for the delivery of a message.</summary>
public enum Transmission
{
    /// <summary>A message may be lost; the library does not retransmit it.</summary>
    Unreliable,

    /// <summary>The library retransmits a message until the other side has acknowledged it, and preserves the order.</summary>
    Reliable,
}
