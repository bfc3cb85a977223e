namespace NetCoreNetworkBenchmark.Scenarios;

/// <summary>Properties of the transports.</summary>
public static class ProtocolRules
{
    /// <summary>Determines whether a transport carries a stream, which keeps the order, loses nothing and has no boundaries between messages.</summary>
    /// <param name="protocol">The transport.</param>
    /// <returns>True for a stream; false for datagrams.</returns>
    public static bool IsStream(this Protocol protocol) => protocol != Protocol.Udp;
}
