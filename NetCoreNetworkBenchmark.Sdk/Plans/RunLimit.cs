namespace NetCoreNetworkBenchmark.Plans;

/// <summary>An upper bound for a figure of a run.</summary>
/// <param name="Kind">The figure.</param>
/// <param name="Bound">The highest figure that holds: microseconds, the share from 0 to 1 of a loss or of ticks, busy cores, or bytes.</param>
/// <param name="Percentile">The percentile of a latency or an age; above 0, at most 100, which is the maximum. Null for other figures.</param>
/// <param name="Text">The text as the user wrote it, such as p99=5ms.</param>
public sealed record RunLimit(LimitKind Kind, double Bound, double? Percentile, string Text);

/// <summary>A figure of a run that can be limited.</summary>
public enum LimitKind
{
    /// <summary>A percentile of the latencies, in microseconds.</summary>
    Latency,

    /// <summary>The lost messages as a share of those that were sent.</summary>
    Loss,

    /// <summary>The CPU time of the server's process per message, in microseconds.</summary>
    ServerCpu,

    /// <summary>The CPU time of the server's process as a share of the time: 1 is one core that is always busy.</summary>
    ServerCores,

    /// <summary>A percentile of the ages of the states that clients received, in microseconds.</summary>
    Age,

    /// <summary>The ticks that the server missed, as a share of its ticks.</summary>
    LateTicks,

    /// <summary>The bytes on the wire for each message that a client received, of both directions.</summary>
    Wire,
}
