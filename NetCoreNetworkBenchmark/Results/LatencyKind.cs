namespace NetCoreNetworkBenchmark.Results;

/// <summary>What was counted and timed in a run.</summary>
public enum LatencyKind
{
    /// <summary>Messages of clients that came back, from when they were sent or due.</summary>
    RoundTrip,

    /// <summary>Messages of the server, from when it sent them, or they were due, to when a client had them. Both ends must read one clock.</summary>
    OneWay,
}
