namespace NetCoreNetworkBenchmark.Recording;

/// <summary>The phases of a run, in their order.</summary>
public enum RunPhase
{
    /// <summary>The server is bound and the clients connect; the workload sends nothing.</summary>
    Connect,

    /// <summary>The load runs but does not count.</summary>
    WarmUp,

    /// <summary>The load runs and counts.</summary>
    Measure,

    /// <summary>The load runs on and does not count, until all load generators of the run have measured.</summary>
    CoolDown,

    /// <summary>Nothing new is sent; messages in flight may still arrive.</summary>
    Drain,

    /// <summary>Nothing is in flight, and nothing is sent until the load is resumed. Connections stay.</summary>
    Paused,

    /// <summary>Connections are closed; a close that is seen now is not an error.</summary>
    Stop,
}
