namespace NetCoreNetworkBenchmark.Plans;

/// <summary>How the sides of a stream notice that the other side is gone, and whether clients connect again. No effect on datagrams.</summary>
public sealed record LivenessPlan
{
    /// <summary>The shortest interval of heartbeats. The sides look at their connections every 50 ms.</summary>
    public static readonly TimeSpan LeastHeartbeat = TimeSpan.FromMilliseconds(200);

    /// <summary>The largest number of heartbeats that may be missed.</summary>
    public const int MostMisses = 100;

    /// <summary>The time after which a side that has sent nothing sends a heartbeat; null for no heartbeats. They need <see cref="Framing.Checked"/>.</summary>
    public TimeSpan? Heartbeat { get; init; }

    /// <summary>The number of heartbeats after which a silent connection is ended; 1 or more.</summary>
    public int HeartbeatMisses { get; init; } = 3;

    /// <summary>The longest time after which a client that lost its connection tries to connect again; null if it does not try.</summary>
    public TimeSpan? Reconnect { get; init; }
}
