namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Waits in the kernel until one of many sockets can be read or written. Level-triggered: what is not read is reported again.</summary>
internal interface IReadiness : IDisposable
{
    /// <summary>Begins to watch a socket.</summary>
    /// <param name="socket">Its descriptor or handle.</param>
    /// <param name="token">What <see cref="Wait"/> reports for it.</param>
    /// <param name="interest">What it is watched for.</param>
    void Add(nint socket, int token, Interest interest);

    /// <summary>Watches a socket for something else from now on.</summary>
    /// <param name="socket">Its descriptor or handle.</param>
    /// <param name="token">Its token.</param>
    /// <param name="interest">What it is watched for.</param>
    void Change(nint socket, int token, Interest interest);

    /// <summary>Ends watching a socket, which must still be open.</summary>
    /// <param name="socket">Its descriptor or handle.</param>
    void Remove(nint socket);

    /// <summary>Waits until something can be done with a socket or the time is over.</summary>
    /// <param name="ready">Receives the tokens of the sockets, with what can be done.</param>
    /// <param name="timeout">The longest wait in milliseconds; 0 does not wait.</param>
    /// <returns>How many were written.</returns>
    int Wait(Span<Ready> ready, int timeout);

    /// <summary>
    /// Waits as <see cref="Wait"/> does, as exactly as the system can. It may end up to a millisecond early, never late by choice: the
    /// caller looks at the clock and waits for the rest.
    /// </summary>
    /// <param name="ready">Receives the tokens of the sockets, with what can be done.</param>
    /// <param name="nanoseconds">The longest wait; 0 or less does not wait.</param>
    /// <returns>How many were written.</returns>
    int WaitExactly(Span<Ready> ready, long nanoseconds);
}

/// <summary>What <see cref="IReadiness"/> reports of one socket.</summary>
/// <param name="Token">The socket's token.</param>
/// <param name="Possible">What can be done; a broken connection can be both read and written, which then tells what is wrong.</param>
internal readonly record struct Ready(int Token, Interest Possible);
