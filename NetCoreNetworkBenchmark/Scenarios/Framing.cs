namespace NetCoreNetworkBenchmark.Scenarios;

/// <summary>How a stream is divided into messages; datagrams need none.</summary>
public enum Framing
{
    /// <summary>Every message has the plan's size, and nothing else is on the stream: any server that echoes bytes can take part.</summary>
    Fixed,

    /// <summary>Every message has its length before it, in 4 bytes, the most significant first; it may be shorter than the plan's size.</summary>
    Length,
}
