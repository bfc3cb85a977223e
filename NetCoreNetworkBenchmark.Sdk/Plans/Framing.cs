namespace NetCoreNetworkBenchmark.Plans;

/// <summary>How a stream is divided into messages; datagrams need none.</summary>
public enum Framing
{
    /// <summary>Every message has the plan's size, and nothing else is on the stream: any server that echoes bytes can take part.</summary>
    Fixed,

    /// <summary>Every message has its length before it, in 4 bytes, the most significant first; it may be shorter than the plan's size.</summary>
    Length,

    /// <summary>
    /// Every message is the content of a package with its length, its type and a check code before it. A package of another type is a heartbeat. The sizes are
    /// as with <see cref="Length"/>.
    /// </summary>
    Checked,

    /// <summary>
    /// HTTP/1.1 (RFC 9112) with one request on each connection: a request ends with an empty line and has no content, and the server ends the connection
    /// after the answer. Only a test whose clients open one connection after the other has it.
    /// </summary>
    Http,
}
