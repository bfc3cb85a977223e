namespace NetCoreNetworkBenchmark.Plans;

/// <summary>How the sides of a stream notice that the other side is gone, and whether clients connect again. No effect on datagrams.</summary>
public sealed record LivenessPlan
{
    /// <summary>
    /// The time after which a side that has sent nothing sends a heartbeat; null for no heartbeats. They require <see cref="Framing.Checked"/>.
    /// </summary>
    public TimeSpan? Heartbeat { get; init; }

    /// <summary>The number of heartbeats after which a silent connection is ended; 1 or more.</summary>
    public int HeartbeatMisses { get; init; } = 3;

    /// <summary>The longest time after which a client that lost its connection tries to connect again; null if it does not try.</summary>
    public TimeSpan? Reconnect { get; init; }
}
