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
