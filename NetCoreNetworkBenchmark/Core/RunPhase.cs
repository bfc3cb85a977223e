namespace NetCoreNetworkBenchmark.Core;

/// <summary>The parts of a run, in their order. Counters and latencies are kept apart for each.</summary>
public enum RunPhase
{
    /// <summary>The server is bound and the clients connect; nothing is sent by the workload.</summary>
    Connect,

    /// <summary>The load runs but does not count.</summary>
    WarmUp,

    /// <summary>The load runs and counts.</summary>
    Measure,

    /// <summary>Nothing new is sent; what is in flight may still arrive.</summary>
    Drain,

    /// <summary>Connections are taken down; a close seen now is no error.</summary>
    Stop,
}
