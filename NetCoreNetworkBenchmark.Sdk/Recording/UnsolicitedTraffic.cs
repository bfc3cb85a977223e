namespace NetCoreNetworkBenchmark.Recording;

/// <summary>The names of traffic that no client of the run sent (<see cref="RunRecorder.CountUnsolicited"/>).</summary>
public static class UnsolicitedTraffic
{
    /// <summary>Datagrams from an address that does not belong to a client, and hellos above the limit.</summary>
    public const string Datagrams = "datagrams";

    /// <summary>Connections that were accepted while the server had all clients of the plan.</summary>
    public const string Connections = "connections";
}
