namespace NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

/// <summary>How a call of a <see cref="StreamTransport"/> ended.</summary>
internal enum Outcome
{
    /// <summary>It did what it was to do.</summary>
    Done,

    /// <summary>It can go on when there is something to read.</summary>
    WantsRead,

    /// <summary>It can go on when there is room to write.</summary>
    WantsWrite,

    /// <summary>The other side has ended its stream, as it should.</summary>
    Ended,

    /// <summary>The connection is of no more use; <see cref="StreamTransport.Failure"/> says why.</summary>
    Failed,
}
