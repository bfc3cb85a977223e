namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Waits in the kernel until one of many sockets can be read or written. Level-triggered: a socket with unread data is reported again.</summary>
internal interface IReadiness : IDisposable
{
    /// <summary>Begins to watch a socket.</summary>
    /// <param name="socket">The descriptor or handle of the socket.</param>
    /// <param name="token">The token that <see cref="Wait"/> reports for the socket.</param>
    /// <param name="interest">The operations that the socket is watched for.</param>
    void Add(nint socket, int token, Interest interest);

    /// <summary>Changes the operations that a socket is watched for.</summary>
    void Change(nint socket, int token, Interest interest);

    /// <summary>Ends watching a socket, which must still be open.</summary>
    void Remove(nint socket);

    /// <summary>Waits until a socket is ready or the time is over.</summary>
    /// <param name="ready">Receives the tokens of the ready sockets, with the operations that are possible.</param>
    /// <param name="timeout">The longest wait in milliseconds; 0 does not wait.</param>
    int Wait(Span<Ready> ready, int timeout);

    /// <summary>
    /// Waits as <see cref="Wait"/> does, as exactly as the system can. The wait may end up to a millisecond early, and never late by design: the
    /// caller looks at the clock and waits for the rest.
    /// </summary>
    /// <param name="ready">Receives the tokens of the ready sockets, with the operations that are possible.</param>
    /// <param name="nanoseconds">The longest wait in nanoseconds; 0 or less does not wait.</param>
    int WaitExactly(Span<Ready> ready, long nanoseconds);
}

/// <summary>The state of one socket that <see cref="IReadiness"/> reports.</summary>
/// <param name="Token">The socket's token.</param>
/// <param name="Possible">
/// The operations that are possible. A broken connection is reported as readable and writable; the read or write then returns the error.
/// </param>
internal readonly record struct Ready(int Token, Interest Possible);
