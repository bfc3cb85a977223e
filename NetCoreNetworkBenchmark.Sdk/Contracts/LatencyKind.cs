namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>The kind of message that is counted and timed in a run.</summary>
public enum LatencyKind
{
    /// <summary>Messages of clients that came back, timed from when they were sent or due.</summary>
    RoundTrip,

    /// <summary>
    /// Messages of the server, timed from when it sent them, or they were due, until a client received them. Both ends must read one clock.
    /// </summary>
    OneWay,
}
