namespace NetCoreNetworkBenchmark.Plans;

/// <summary>How a stream is divided into messages; datagrams need none.</summary>
public enum Framing
{
    /// <summary>Every message has the plan's size, and nothing else is on the stream: any server that echoes bytes can take part.</summary>
    Fixed,

    /// <summary>Every message has its length before it, in 4 bytes, the most significant first; it may be shorter than the plan's size.</summary>
    Length,

    /// <summary>
    /// Each frame has length, type and check code before its content, which is a message or, by its type, a heartbeat. The sizes are as with
    /// <see cref="Length"/>.
    /// </summary>
    Checked,

    /// <summary>
    /// HTTP/1.1 (RFC 9112) with one request on each connection: a request ends with an empty line and has no content, and the server ends the connection
    /// after the answer. Only a test whose clients open one connection after the other has it.
    /// </summary>
    Http,
}
