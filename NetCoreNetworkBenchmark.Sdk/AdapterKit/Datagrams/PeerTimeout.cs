namespace NetCoreNetworkBenchmark.AdapterKit.Datagrams;

/// <summary>The time-out of connections over datagrams, for libraries that end a connection whose other side is silent.</summary>
public static class PeerTimeout
{
    /// <summary>
    /// The longest silence, in milliseconds. The libraries' own of 5 and 10 s pass while a load is paused: the processes of a set are suspended between their
    /// slices, but the clocks of the libraries go on, and a ping waits behind all messages that are in flight.
    /// </summary>
    public const int LongestMilliseconds = 60_000;
}
