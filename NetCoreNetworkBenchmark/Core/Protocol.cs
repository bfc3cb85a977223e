namespace NetCoreNetworkBenchmark.Core;

/// <summary>The transport that carries the messages of a run.</summary>
public enum Protocol
{
    /// <summary>Datagrams (RFC 768), alone or under a library's own protocol.</summary>
    Udp,
}
