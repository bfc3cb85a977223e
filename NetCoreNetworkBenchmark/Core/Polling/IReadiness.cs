namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>Waits in the kernel until one of many sockets can be read. Level-triggered: what is not read is reported again.</summary>
internal interface IReadiness : IDisposable
{
    /// <summary>Begins to watch a socket.</summary>
    /// <param name="socket">Its descriptor or handle.</param>
    /// <param name="token">What <see cref="Wait"/> reports for it.</param>
    void Add(nint socket, int token);

    /// <summary>Ends watching a socket, which must still be open.</summary>
    /// <param name="socket">Its descriptor or handle.</param>
    void Remove(nint socket);

    /// <summary>Waits until a socket can be read or the time is over.</summary>
    /// <param name="tokens">Receives the tokens of sockets that can be read.</param>
    /// <param name="timeout">The longest wait in milliseconds; 0 does not wait.</param>
    /// <returns>How many tokens were written.</returns>
    int Wait(Span<int> tokens, int timeout);

    /// <summary>
    /// Waits as <see cref="Wait"/> does, as exactly as the system can. It may end up to a millisecond early, never late by choice: the
    /// caller looks at the clock and waits for the rest.
    /// </summary>
    /// <param name="tokens">Receives the tokens of sockets that can be read.</param>
    /// <param name="nanoseconds">The longest wait; 0 or less does not wait.</param>
    /// <returns>How many tokens were written.</returns>
    int WaitExactly(Span<int> tokens, long nanoseconds);
}
