namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>The outcome of a call of a <see cref="StreamTransport"/>.</summary>
internal enum Outcome
{
    /// <summary>The call succeeded.</summary>
    Done,

    /// <summary>The call can continue when there are bytes to read.</summary>
    WantsRead,

    /// <summary>The call can continue when there is room to write.</summary>
    WantsWrite,

    /// <summary>The other side has ended its stream regularly.</summary>
    Ended,

    /// <summary>The connection can no longer be used; <see cref="StreamTransport.Failure"/> is the reason.</summary>
    Failed,
}
