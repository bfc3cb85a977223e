namespace NetCoreNetworkBenchmark.Core;

/// <summary>What follows from a transport.</summary>
public static class ProtocolRules
{
    /// <summary>Whether it carries a stream, which keeps the order, loses nothing and has no boundaries between messages.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>False for datagrams.</returns>
    public static bool IsStream(this Protocol protocol) => protocol != Protocol.Udp;
}
