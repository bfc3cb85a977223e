namespace NetCoreNetworkBenchmark.Results;

/// <summary>IP packets as their sender put them on the wire.</summary>
/// <param name="Packets">Packets. A datagram that is larger than the MTU of Ethernet (1,500 bytes) is several.</param>
/// <param name="Bytes">Their bytes, with the headers of IP and UDP or TCP.</param>
public sealed record WireTraffic(long Packets, long Bytes);

/// <summary>
/// What a load puts on the wire, as on Ethernet with an MTU of 1,500 bytes: all packets of connected clients, with acknowledgements, heartbeats and
/// retransmissions. It is counted in a short measurement of its own, so that it costs the timed one nothing.
/// </summary>
/// <param name="CountedBy">What has counted.</param>
/// <param name="ToServer">The direction from the clients to the server.</param>
/// <param name="ToClients">The direction from the server to the clients.</param>
public sealed record WireFigures(WireCounter CountedBy, WireDirection ToServer, WireDirection ToClients)
{
    /// <summary>Packets of both directions for each message that a client received.</summary>
    public double PacketsPerMessage => (double)(ToServer.Packets + ToClients.Packets) / ToClients.Messages;

    /// <summary>Bytes of both directions for each message that a client received.</summary>
    public double BytesPerMessage => (double)(ToServer.Bytes + ToClients.Bytes) / ToClients.Messages;

    /// <summary>The share (0 to 1) of the bytes of both directions that is not of the messages themselves.</summary>
    /// <param name="messageBytes">The mean bytes of a message.</param>
    internal double OverheadOf(double messageBytes) =>
        1 - ((ToServer.Messages + ToClients.Messages) * messageBytes / (ToServer.Bytes + ToClients.Bytes));

    /// <summary>Messages of both directions in each packet. A packet with an acknowledgement alone counts too.</summary>
    public double MessagesPerPacket => (double)(ToServer.Messages + ToClients.Messages) / (ToServer.Packets + ToClients.Packets);
}

/// <summary>The packets of one direction.</summary>
/// <param name="Messages">The messages that clients sent in this direction, or received in it.</param>
/// <param name="Packets">The packets.</param>
/// <param name="Bytes">The bytes of the packets.</param>
public sealed record WireDirection(long Messages, long Packets, long Bytes);

/// <summary>What counts packets on the wire.</summary>
public enum WireCounter
{
    /// <summary>A relay of datagrams between clients and server, which adds the headers of IP and UDP to each by arithmetic.</summary>
    Relay,

    /// <summary>A relay of whole IP packets between two TUN devices, one in the network namespace of the server and one in that of the clients.</summary>
    TunPair,
}
